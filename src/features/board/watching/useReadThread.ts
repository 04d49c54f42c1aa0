import { useEffect, useMemo } from 'react'
import { postIds, readPosts } from '#src/features/board/post/postElements.ts'
import { followReading } from '#src/features/board/reading/followReading.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { findReplies } from './ownMarks.ts'
import { addReplies, markRead, seeReplies } from './watchState.ts'
import { changeWatching, watching } from './watchStore.ts'

/**
 * Marks the open thread as read up to what was on screen, and replies in it as seen.
 * @param version changes with the posts on the page
 */
export function useReadThread(id: number, version: number): readonly number[] {
  const own = ownPosts.useValue()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  const replies = useMemo(
    () => findReplies(own.length === 0 ? [] : readPosts(), new Set(own.map((post) => post.id))),
    [version, own],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    const before = watching.get().threads.find((one) => one.id === id)?.readId ?? Number.POSITIVE_INFINITY
    const unread = replies.filter((reply) => reply > before)
    changeWatching((state) => addReplies(state, id, unread))
    return followReading((readId, seen) =>
      changeWatching((state) => seeReplies(markRead(state, id, readId, postIds()), seen)),
    )
  }, [id, version, replies])

  return replies
}
