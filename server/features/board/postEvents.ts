import type { TopicChange } from '#server/core/events/event.ts'

/** The changes that show a post as it is now, and its thread in lists. */
export const changesOfPost = (boardId: string, threadId: number, postId = threadId): TopicChange[] => [
  { topic: `thread:${threadId}`, change: { kind: 'post', postId } },
  { topic: `board:${boardId}`, change: { kind: 'thread', threadId } },
]

/** Above this number of changed posts in a thread, its open pages reload their data instead of applying each event. */
const MAX_POST_EVENTS = 50

/** Joins changes that one refresh shows: those of a board's threads, and those of many posts of a thread. */
export function joinChanges(changes: TopicChange[]): TopicChange[] {
  const byTopic = new Map<TopicChange['topic'], TopicChange[]>()
  for (const change of changes) {
    const own = byTopic.get(change.topic)
    if (own) own.push(change)
    else byTopic.set(change.topic, [change])
  }
  return [...byTopic].flatMap(([topic, own]): TopicChange[] => {
    if (topic.startsWith('thread:')) return own.length > MAX_POST_EVENTS ? [{ topic, change: { kind: 'stale' } }] : own
    const shown = own.findLast(({ change }) => change.kind === 'thread')
    return own.filter((one) => one.change.kind !== 'thread' || one === shown)
  })
}

type ThreadState = { threadId: number; wasShown: boolean; isShown: boolean }

/**
 * Returns the changes of states that readers of a thread and of the boards see.
 * @param threads those with posts that were or are live
 * @param stubs posts that have become stubs, or are none any more
 */
export function changesOf(
  threads: { threadId: number; boardId: string; posts: { id: number }[] }[],
  states: ThreadState[],
  stubs: { id: number; threadId: number }[],
): TopicChange[] {
  const byId = new Map(states.map((state) => [state.threadId, state]))
  return threads.flatMap(({ threadId, boardId, posts }): TopicChange[] => {
    const [topic, ofBoard] = [`thread:${threadId}`, `board:${boardId}`] as const
    const { wasShown = false, isShown = false } = byId.get(threadId) ?? {}
    const gone = { kind: 'thread-gone', threadId } as const
    if (wasShown && !isShown) return [topic, ofBoard].map((one) => ({ topic: one, change: gone }))
    if (!isShown) return []
    // A stub comes before its answers.
    const ids = new Set([...stubs.filter((stub) => stub.threadId === threadId), ...posts].map(({ id }) => id))
    const ofPosts = [...ids].map((postId): TopicChange => ({ topic, change: { kind: 'post', postId } }))
    // An open page of a removed thread has nothing to merge posts into.
    const ofThread: TopicChange[] = wasShown ? ofPosts : [{ topic, change: { kind: 'stale' } }]
    return [...ofThread, { topic: ofBoard, change: { kind: 'thread', threadId } }]
  })
}
