import type { TopicChange } from '#server/core/events/event.ts'
import type { ChangedThread } from './affectedPosts.ts'
import type { ChangedStub } from './places.ts'
import type { ThreadState } from './threadStates.ts'

/** Returns the changes that readers of a thread and of the boards see. @param threads those with posts that were or are live */
export function changesOf(threads: ChangedThread[], states: ThreadState[], stubs: ChangedStub[]): TopicChange[] {
  const byId = new Map(states.map((state) => [state.threadId, state]))
  return threads.flatMap(({ threadId, boardId, posts }): TopicChange[] => {
    const [topic, ofBoard] = [`thread:${threadId}`, `board:${boardId}`] as const
    const { wasShown = false, isShown = false } = byId.get(threadId) ?? {}
    if (wasShown && !isShown) {
      const change = { kind: 'thread-gone', threadId } as const
      return [
        { topic, change },
        { topic: ofBoard, change },
      ]
    }
    if (!isShown) return []
    // A stub comes before its answers.
    const ids = new Set([...stubs.filter((stub) => stub.threadId === threadId), ...posts].map(({ id }) => id))
    const ofPosts = [...ids].map((postId): TopicChange => ({ topic, change: { kind: 'post', postId } }))
    // An open page of a removed thread has nothing to merge posts into.
    const ofThread: TopicChange[] = wasShown ? ofPosts : [{ topic, change: { kind: 'stale' } }]
    return [...ofThread, { topic: ofBoard, change: { kind: 'thread', threadId } }]
  })
}
