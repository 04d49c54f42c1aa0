import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { adminProcedure, guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { showEvent } from '#server/features/board/html/threadHtml.ts'
import { activeSwitches } from '#server/features/moderation/admission/switches.ts'
import { followedTopics, toBrowserEvent } from '#server/features/moderation/queue/queueEvents.ts'
import { createProofOfWork } from '#server/features/moderation/raids/proofOfWork.ts'
import { type CaptchaChallenge, captchaSchema } from '#src/contract/captcha.ts'
import { eventsInput, isRadioTopic } from '#src/contract/events.ts'
import { jobRef } from '#src/contract/operations.ts'
import { refusal } from '#src/contract/refusal.ts'
import { siteContentParams } from '#src/contract/siteContent.ts'
import { readBranding } from './branding.ts'
import { listBlogPosts, readPosts } from './content/service.ts'
import { listJobs, readOverview, readStorage, runJob } from './operations.ts'

const operationsRouter = router({
  overview: adminProcedure.query(({ ctx }) => readOverview(ctx)),
  branding: adminProcedure.query(({ ctx }) => readBranding(ctx)),
  storage: adminProcedure.query(({ ctx }) => readStorage(ctx)),
  jobs: adminProcedure.query(({ ctx }) => listJobs(ctx)),
  runJob: adminProcedure.input(jobRef).mutation(({ ctx, input }) => runJob(ctx, input.name)),
})

/** Creates a captcha, with a proof of work if posts need one. Admins need none. */
async function createCaptcha(ctx: Context): Promise<CaptchaChallenge> {
  const challenge = createChallenge(ctx)
  const isRaid = (await activeSwitches(ctx)).has('proof-of-work')
  if (!isRaid || (await ctx.currentUser())?.role === 'admin') return challenge
  const proofOfWork = await createProofOfWork(ctx.secrets.proofOfWork, challenge.challengeId)
  return { ...challenge, proofOfWork }
}

export const siteRouter = router({
  operations: operationsRouter,
  page: guestProcedure.input(siteContentParams).query(async ({ ctx, input: { slug } }) => {
    const page = (await ctx.siteContent()).pages.find((one) => one.slug === slug)
    if (!page) throw errors.notFound(refusal('ui.pageNotFound'))
    return page
  }),
  blogPosts: guestProcedure.query(({ ctx }) => listBlogPosts(ctx)),
  blogPost: guestProcedure.input(siteContentParams).query(async ({ ctx, input: { slug } }) => {
    const post = (await readPosts(ctx)).find((one) => one.slug === slug)
    if (!post) throw errors.notFound(refusal('moderation.postNotFound'))
    return post
  }),
  captcha: documented(
    guestProcedure.use(rateLimited('captcha')).mutation(({ ctx }) => createCaptcha(ctx)),
    {
      path: '/api/dtpchan/captcha',
      summary: 'Creates a captcha. It must be answered from the network that requested it, and once.',
      answer: captchaSchema,
    },
  ),
  events: guestProcedure.input(eventsInput).subscription(async function* ({ ctx, input, signal }) {
    // Starts polling the radio. Each poll publishes the current song as an event.
    for (const topic of input.topics.filter(isRadioTopic)) {
      ctx.radio.nowPlaying(Number(topic.slice('radio:'.length))).catch(() => {})
    }
    for await (const { id, event } of ctx.eventHub.subscribe(
      followedTopics(ctx, input.topics),
      Number(input.lastEventId),
      ctx.address,
      signal,
    )) {
      const data = toBrowserEvent(ctx, event)
      if (data) yield { id: String(id), data: input.html ? showEvent(data, input.html) : data }
    }
  }),
})
