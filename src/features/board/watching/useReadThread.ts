import { useEffect, useMemo, useRef } from 'react'
import { postIds, readPosts } from '#src/features/board/post/postElements.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { findReplies } from './ownMarks.ts'
import { addReplies, markRead, seeReplies } from './watchState.ts'
import { changeWatching, watching } from './watchStore.ts'

/** Marks the open thread as read, and replies in it as seen, when the visitor has seen them. */
export function useReadThread(id: number, version: number): readonly number[] {
  const own = ownPosts.useValue()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  const replies = useMemo(
    () => findReplies(own.length === 0 ? [] : readPosts(), new Set(own.map((post) => post.id))),
    [version, own],
  )
  /** posts that were there when the visitor saw the page first, or that the visitor has seen since */
  const seenIds = useRef<ReadonlySet<number> | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    const ids = postIds()
    const count = ids.length
    const ownIds = new Set(own.map((post) => post.id))
    const readId = watching.get().threads.find((one) => one.id === id)?.readId ?? Number.POSITIVE_INFINITY
    changeWatching((state) =>
      addReplies(
        state,
        id,
        replies.filter((reply) => reply > readId),
      ),
    )

    const readAll = () => changeWatching((state) => markRead(state, id, Math.max(...ids), count))
    /** posts to wait for; opening a thread reads it up to its end, but not the replies to the visitor */
    const unseen = new Set<number>()
    const isReplyUnseen = (post: number) => watching.get().replies.some((reply) => reply.id === post && !reply.isSeen)

    const observer = new IntersectionObserver((entries) => {
      const passed = entries.filter((entry) => entry.isIntersecting)
      const passedIds = passed.map(({ target }) => Number(target.id.slice(1)))
      for (const { target } of passed) observer.unobserve(target)
      for (const post of passedIds) unseen.delete(post)
      if (seenIds.current) seenIds.current = new Set([...seenIds.current, ...passedIds])
      changeWatching((state) => seeReplies(state, passedIds))
      if (passed.length > 0 && unseen.size === 0) readAll()
    })

    function start() {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', start)
      seenIds.current ??= new Set(ids)
      const seen = seenIds.current
      for (const post of ids) {
        const isNew = !seen.has(post) && !ownIds.has(post)
        const element = document.getElementById(`p${post}`)
        if (!element || !(isNew || isReplyUnseen(post))) continue
        if (isNew) unseen.add(post)
        observer.observe(element)
      }
      if (unseen.size === 0) readAll()
    }
    document.addEventListener('visibilitychange', start)
    start()
    return () => {
      document.removeEventListener('visibilitychange', start)
      observer.disconnect()
    }
  }, [id, version, own, replies])

  return replies
}
