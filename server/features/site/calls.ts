import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { showEvent } from '#server/features/board/html/threadHtml.ts'
import { followedTopics, toBrowserEvent } from '#server/features/moderation/queue/queueEvents.ts'
import { captchaSchema } from '#src/contract/captcha.ts'
import { eventsInput, isRadioTopic } from '#src/contract/events.ts'
import { siteContentParams } from '#src/contract/siteContent.ts'

import { createCaptcha } from './captcha.ts'
import { findBlogPost, findSitePage, listBlogPosts } from './content/service.ts'
import { operationsRouter } from './operationsCalls.ts'

export const siteRouter = router({
  operations: operationsRouter,
  page: guestProcedure.input(siteContentParams).query(({ ctx, input }) => findSitePage(ctx, input.slug)),
  blogPosts: guestProcedure.query(({ ctx }) => listBlogPosts(ctx)),
  blogPost: guestProcedure.input(siteContentParams).query(({ ctx, input }) => findBlogPost(ctx, input.slug)),
  captcha: documented(
    guestProcedure.use(rateLimited('captcha')).mutation(({ ctx }) => createCaptcha(ctx)),
    {
      method: 'POST',
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
