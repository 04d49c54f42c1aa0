import type { ThreadView } from '#src/contract/thread.ts'
import backlinks from '#src/features/board/post/Backlinks.module.css'
import text from '#src/features/board/post/PostText.module.css'
import { t } from '#src/i18n/t.ts'

/** Returns the posts of a thread that quote one of these posts, or reply to it. */
export function findReplies(thread: ThreadView, own: ReadonlySet<number>): number[] {
  if (own.size === 0) return []
  const posts = [thread, ...thread.comments].map((post) => ({ post, parentId: 0 }))
  const replies = thread.comments.flatMap(({ id, replies }) => replies.map((post) => ({ post, parentId: id })))
  return [...posts, ...replies]
    .filter(({ post, parentId }) => own.has(parentId) || post.quotes.some(({ id }) => own.has(id)))
    .flatMap(({ post: { id } }) => (own.has(id) ? [] : id))
}

/**
 * Returns style rules that mark the visitor's posts, links to them, and replies to them. Rules cover posts that are
 * rendered later too, for example in previews, and change no HTML.
 */
export function markRules(own: Iterable<number>, replies: Iterable<number>): string[] {
  const links = [...own].map((id) => `a[href$="#p${id}"]`).join()
  const texts = [...replies].map((id) => `#p${id} > .${text.content}, #p${id} > div > .${text.content}`).join()
  return [
    ...(links
      ? [
          // The author's name comes before the number, which links to the post.
          `:is(header, p) > bdi:has(~ :is(${links}), ~ .data > :is(${links}))::after,
           header > :has(~ .data > :is(${links})) > bdi::after,
           :is(.${text.quoteLink}, .${backlinks.backlinks} > a):is(${links})::after
             { content: " ${t('board.you')}"; color: var(--accent-text); font-weight: 500 }`,
        ]
      : []),
    ...(texts
      ? [
          `:is(${texts}) { position: relative }`,
          `:is(${texts})::before
             { content: ""; position: absolute; inset-block: 0; inset-inline-start: -0.5rem; border-inline-start: 3px solid var(--accent) }`,
        ]
      : []),
  ]
}

const sheet = typeof CSSStyleSheet === 'undefined' ? null : new CSSStyleSheet()

export function showMarks(own: Iterable<number>, replies: Iterable<number>): void {
  if (!sheet) return
  sheet.replaceSync(markRules(own, replies).join('\n'))
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
