import type { TopicChange } from '#server/core/events/event.ts'
import type { ChangedThread } from './affectedPosts.ts'
import type { ChangedStub } from './places.ts'
import type { ThreadState } from './threadStates.ts'

/** Returns the changes that readers of a thread and of the boards see. @param threads those with posts that were or are live */
export function changesOf(threads: ChangedThread[], states: ThreadState[], stubs: ChangedStub[]): TopicChange[] {
  const byId = new Map(states.map((state) => [state.threadId, state]))
  return threads.flatMap((one): TopicChange[] => {
    const { threadId, boardId } = one
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
    const own = stubs.filter((stub) => stub.threadId === threadId)
    // An open page of a removed thread has nothing to merge posts into.
    const ofPosts: TopicChange[] = wasShown ? changesOfPosts(one, own) : [{ topic, change: { kind: 'stale' } }]
    return [...ofPosts, { topic: ofBoard, change: { kind: 'thread', threadId } }]
  })
}

function changesOfPosts({ threadId, posts }: ChangedThread, stubs: ChangedStub[]): TopicChange[] {
  const topic = `thread:${threadId}` as const
  const isStub = new Map(stubs.map(({ id, stub }) => [id, stub]))
  const ids = new Set(posts.map(({ id }) => id))
  // A comment goes with its replies, and a stub with the last of them.
  const isRoot = ({ parentId }: { parentId: number | null }) =>
    parentId === null || !(ids.has(parentId) || isStub.get(parentId) === false)
  const roots = posts.filter((one) => !isStub.has(one.id) && (one.state !== 'live' || isRoot(one)))
  return [
    // A stub comes before its answers.
    ...stubs.map(
      ({ id, stub }): TopicChange => ({
        topic,
        change: stub ? { kind: 'post', postId: id } : { kind: 'post-gone', postId: id, parentId: null },
      }),
    ),
    ...roots.map(
      ({ id, parentId, state }): TopicChange => ({
        topic,
        change: state === 'live' ? { kind: 'post-gone', postId: id, parentId } : { kind: 'post', postId: id },
      }),
    ),
  ]
}
