import { headOf, idOf, listPosts } from '#src/features/board/post/postElements.ts'

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
