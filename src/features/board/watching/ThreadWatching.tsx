import { useEffect } from 'react'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { showMarks } from './ownMarks.ts'
import { useReadThread } from './useReadThread.ts'

type ThreadWatchingProps = { threadId: number | undefined; version: number }

/**
 * Marks the visitor's posts and replies to them, and notes what the visitor has read.
 * @param props.version changes with the posts on the page
 */
export function ThreadWatching({ threadId, version }: ThreadWatchingProps) {
  return threadId === undefined ? (
    <Marks replies={[]} />
  ) : (
    <OpenThread key={threadId} threadId={threadId} version={version} />
  )
}

function OpenThread({ threadId, version }: { threadId: number; version: number }) {
  return <Marks replies={useReadThread(threadId, version)} />
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
