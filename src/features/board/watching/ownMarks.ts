import type { ThreadPost } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'

/** Returns the posts that quote one of these posts, or reply to it. */
export function findReplies(posts: readonly ThreadPost[], own: ReadonlySet<number>): number[] {
  if (own.size === 0) return []
  return posts
    .filter(({ parentId, quotes }) => own.has(parentId ?? 0) || quotes.some((id) => own.has(id)))
    .flatMap(({ id }) => (own.has(id) ? [] : id))
}

/**
 * Returns style rules that mark the visitor's posts, links to them, and replies to them. Rules cover posts that are
 * rendered later too, for example in previews, and change no HTML.
 */
export function markRules(own: Iterable<number>, replies: Iterable<number>): string[] {
  const links = [...own].map((id) => `a[href$="#p${id}"]`).join()
  const texts = [...replies].map((id) => `#p${id} > .body > .text, #p${id} > div > .body > .text`).join()
  return [
    ...(links
      ? [
          // The author's name comes before the number, which links to the post.
          `:is(header, p) > bdi:has(~ :is(${links}), ~ .data > :is(${links}))::after,
           header > .by:has(~ :is(${links})) > bdi::after,
           :is(.quote, .backlinks > a):is(${links})::after
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
