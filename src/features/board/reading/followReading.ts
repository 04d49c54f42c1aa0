import { useEffect } from 'react'
import { headOf, idOf, kindOf, listPosts } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'

/**
 * Calls `onRead` when posts come on screen, also those that are there already. A post is on screen when its head is, and
 * everything above it counts as read.
 * @param onRead gets the id up to which the thread is read, and the posts that came on screen
 * @returns a function that stops the calls
 */
export function followReading(onRead: (readId: number, seen: readonly number[]) => void): () => void {
  const posts = listPosts()
  const ids = posts.map(idOf)
  const places = new Map(posts.map((post, place) => [shownPart(post), place]))
  let last = 0
  const covered = getComputedStyle(document.documentElement).getPropertyValue('--player-h') || '0px'
  const observer = new IntersectionObserver(
    (entries) => {
      const passed = entries.filter(({ isIntersecting }) => isIntersecting)
      if (passed.length === 0) return
      for (const { target } of passed) observer.unobserve(target)
      const seen = passed.map(({ target }) => places.get(target) ?? 0)
      last = Math.max(last, ...seen)
      onRead(
        readUpTo(ids, last),
        seen.flatMap((place) => ids[place] ?? []),
      )
    },
    { rootMargin: `0px 0px -${Math.ceil(Number.parseFloat(covered))}px` },
  )

  /** Nobody sees the posts of a tab in the background. */
  function start() {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', start)
    for (const head of places.keys()) observer.observe(head)
  }
  document.addEventListener('visibilitychange', start)
  start()
  return () => {
    document.removeEventListener('visibilitychange', start)
    observer.disconnect()
  }
}

/** A hidden post shows only its stub. */
const shownPart = (post: HTMLElement): Element => (post.hasAttribute('data-hidden') ? null : headOf(post)) ?? post

/**
 * Returns the newest post that is read with all older ones. A new reply to an old comment is far above older posts.
 * @param ids in the order of the page @param last place of the lowest post that was on screen
 */
export function readUpTo(ids: readonly number[], last: number): number {
  const firstUnread = Math.min(...ids.slice(last + 1))
  return Math.max(...ids.slice(0, last + 1).filter((id) => id < firstUnread))
}

/** Bounds the entry in the browser's storage. */
const MAX_THREADS = 200

type Visit = [threadId: number, readId: number]

const visits = createStoredStore('dtpchan_visits', (stored): Visit[] =>
  Array.isArray(stored) ? stored.filter((visit) => Array.isArray(visit) && visit.every(Number.isSafeInteger)) : [],
)

/** Returns the newest post that this browser has read in a thread, or 0. */
export const lastReadId = (threadId: number): number => visits.load().find(([id]) => id === threadId)?.[1] ?? 0

/**
 * Draws a line above the first post that was not on screen at the last visit, and stores what is on screen now.
 * @param version changes with the posts on the page
 */
export function useLastVisit(threadId: number | undefined, version: number): void {
  useEffect(() => {
    const last = lastReadId(threadId ?? 0)
    // Posts that arrive later are part of this visit.
    if (last > 0) markNew(last)
  }, [threadId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    if (threadId === undefined) return
    return followReading((readId) => {
      if (readId <= lastReadId(threadId)) return
      visits.change((all) =>
        [[threadId, readId] as Visit, ...all.filter(([id]) => id !== threadId)].slice(0, MAX_THREADS),
      )
    })
  }, [threadId, version])
}

/** Comments are in the order of their numbers, so one line is enough for them. Replies to older comments have their own. */
function markNew(lastId: number): void {
  const comments = listPosts().filter((post) => kindOf(post) === 'comment')
  const older = comments.filter((comment) => idOf(comment) <= lastId)
  // A reader who stopped at the opening post has seen no comment yet: all are unread, and none is new.
  if (older.length === 0) return
  const first = comments.find((comment) => idOf(comment) > lastId)
  const replies = older.flatMap(
    (comment) => [...comment.querySelectorAll<HTMLElement>('.reply')].find((reply) => idOf(reply) > lastId) ?? [],
  )
  // The attribute is the text of a pseudo-element, so that the HTML stays as it is.
  for (const post of [...replies, ...(first ? [first] : [])]) post.dataset.newSince = t('board.newSinceVisit')
}
