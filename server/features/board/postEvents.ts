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
