import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { withoutSecret } from '#src/contract/authorName.ts'
import { EMPTY_DRAFT, type PostDraft } from '#src/contract/post.ts'
import type { PostFormPlace } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

/** Creates the captcha on the server, so that the form works without script. */
export const data = (pageContext: PageContextServer) =>
  loadPageData(pageContext.config, () => readPostForm(pageContext))

async function readPostForm({ api, routeParams, urlParsed: { search }, submittedForm }: PageContextServer) {
  const { boardId = '' } = routeParams
  const place = await api.board.postForm({ boardId, threadId: search.thread, replyTo: search.comment })
  const held = parseHeld(search)
  if (held) return { place, held, form: null }
  const { fields, hasImage = false } = submittedForm ?? {}
  const given = fields ?? { content: quoteOf(place) }
  const texts = Object.keys(EMPTY_DRAFT).map((name) => [name, given[name] ?? ''])
  const challenge = await api.site.captcha().catch(() => null)
  return {
    place,
    held,
    form: {
      draft: Object.fromEntries(texts) as PostDraft,
      author: withoutSecret(given.author ?? ''),
      challenge,
      refusal: submittedForm?.refusal ?? (challenge ? null : { text: t('board.noCaptcha') }),
      lostImage: hasImage,
    },
  }
}

/** A reply to a reply begins with a link to it, because it appears below the comment. */
const quoteOf = ({ answered }: PostFormPlace) =>
  answered && answered.id !== answered.commentId ? `>>${answered.id}\n` : ''

const NUMBER = /^[1-9]\d{0,14}$/

/** Parses the URL that a browser is redirected to after a post that waits. `until` is null for a review. */
function parseHeld({ held = '', until = '' }: Record<string, string>) {
  if (!NUMBER.test(held)) return null
  const date = new Date(until)
  return { id: Number(held), until: Number.isNaN(date.getTime()) ? null : date }
}
