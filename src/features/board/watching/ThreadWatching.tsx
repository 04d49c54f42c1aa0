import { useEffect, useMemo } from 'react'
import { postIds, readPosts, type ThreadPost } from '#src/features/board/post/postElements.ts'
import { followReading } from '#src/features/board/reading/followReading.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { t } from '#src/i18n/t.ts'
import { watching } from './watchStore.ts'
import { addReplies, markRead, seeReplies } from './watchUpdates.ts'

type ThreadWatchingProps = {
  /** undefined on pages without an open thread */
  threadId: number | undefined
  /** changes with the posts on the page */
  version: number
}

/**
 * Marks the visitor's posts and replies to them, the open thread as read up to what was on screen, and replies in it as
 * seen.
 */
export function ThreadWatching({ threadId, version }: ThreadWatchingProps) {
  const own = ownPosts.useValue()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  const replies = useMemo(() => {
    const posts = threadId === undefined || own.length === 0 ? [] : readPosts()
    return findReplies(posts, new Set(own.map(({ id }) => id)))
  }, [threadId, version, own])

  useEffect(() => {
    const ownIds = own.map(({ id }) => id)
    showMarks(ownIds, replies)
  }, [own, replies])
  useEffect(() => () => showMarks([], []), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    if (threadId === undefined) return
    const before = watching.get().threads.find(({ id }) => id === threadId)?.readId ?? Number.POSITIVE_INFINITY
    const unread = replies.filter((reply) => reply > before)
    watching.change((state) => addReplies(state, threadId, unread))
    return followReading((readId, seen) =>
      watching.change((state) => seeReplies(markRead(state, threadId, readId, postIds()), seen)),
    )
  }, [threadId, version, replies])

  return null
}

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

function showMarks(own: Iterable<number>, replies: Iterable<number>): void {
  if (!sheet) return
  sheet.replaceSync(markRules(own, replies).join('\n'))
  if (!document.adoptedStyleSheets.includes(sheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
