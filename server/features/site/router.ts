import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { eventsInput, isRadioTopic } from '#src/contract/events.ts'

import { siteContentParams } from '#src/contract/siteContentForms.ts'
import { createCaptcha } from './captcha.ts'
import { findBlogPost, findSitePage, listBlogPosts } from './content/service.ts'
import { operationsRouter } from './operationsRouter.ts'

export const siteRouter = router({
  operations: operationsRouter,
  page: guestProcedure.input(siteContentParams).query(({ ctx, input }) => findSitePage(ctx, input.slug)),
  blogPosts: guestProcedure.query(({ ctx }) => listBlogPosts(ctx)),
  blogPost: guestProcedure.input(siteContentParams).query(({ ctx, input }) => findBlogPost(ctx, input.slug)),
  captcha: guestProcedure.use(rateLimited('captcha')).mutation(({ ctx }) => createCaptcha(ctx)),
  events: guestProcedure.input(eventsInput).subscription(async function* ({ ctx, input, signal }) {
    // Starts polling the radio. Each poll publishes the current song as an event.
    for (const topic of input.topics.filter(isRadioTopic)) {
      ctx.radio.nowPlaying(Number(topic.slice('radio:'.length))).catch(() => {})
    }
    for await (const { id, event } of ctx.eventHub.subscribe(
      input.topics,
      Number(input.lastEventId),
      ctx.address,
      signal,
    )) {
      yield { id: String(id), data: event }
    }
  }),
})
