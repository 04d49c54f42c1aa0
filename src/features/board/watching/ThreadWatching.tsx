import { useEffect } from 'react'
import type { ThreadView } from '#src/contract/thread.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { showMarks } from './ownMarks.ts'
import { useReadThread } from './useReadThread.ts'

/** Marks the visitor's posts and replies to them, and notes what the visitor has read. */
export function ThreadWatching({ thread }: { thread: ThreadView | null }) {
  return thread ? <OpenThread key={thread.id} thread={thread} /> : <Marks replies={[]} />
}

function OpenThread({ thread }: { thread: ThreadView }) {
  return <Marks replies={useReadThread(thread)} />
}

function Marks({ replies }: { replies: readonly number[] }) {
  const own = ownPosts.useValue()
  useEffect(
    () =>
      showMarks(
        own.map(({ id }) => id),
        replies,
      ),
    [own, replies],
  )
  useEffect(() => () => showMarks([], []), [])
  return null
}
