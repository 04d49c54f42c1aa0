import { boardLimits } from '#src/contract/board.ts'
import type { EventPost, SiteEvent } from '#src/contract/events.ts'
import type { CommentView, PostRef, PostView } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { postIds } from './postIds.ts'

/** Applies an event to a thread. Applying the same event again has no effect. */
export function mergeEvent(thread: ThreadView, { change, post }: SiteEvent): ThreadView {
  if (change.kind === 'post' && post) return upsertPost(thread, post)
  if (change.kind === 'post-gone') return removePost(thread, change.postId)
  return thread
}

export function upsertPost(thread: ThreadView, { parentId, view, ...counts }: EventPost): ThreadView {
  if (view.id === thread.id) return { ...thread, ...view, ...counts }
  if (parentId === null) {
    const replies = thread.comments.find((comment) => comment.id === view.id)?.replies ?? []
    return { ...thread, ...counts, comments: upsertById<CommentView>(thread.comments, { ...view, replies }) }
  }
  return {
    ...thread,
    ...counts,
    comments: mapReplies(thread.comments, parentId, (replies) => upsertById(replies, view)),
  }
}

/** Adds the visitor's new post and the backlinks to it, unless the post's event arrived first. */
export function addPost(thread: ThreadView, post: PostView, parentId: number | null): ThreadView {
  if (postIds(thread).includes(post.id)) return thread
  const { commentCount, replyCount, lastActivity, locked, pinned, bumplocked, cyclical, archived } = thread
  const counts = { commentCount, replyCount, lastActivity, locked, pinned, bumplocked, cyclical, archived }
  const added = upsertPost(thread, { parentId, view: post, ...counts })
  const replies = added.comments.reduce((sum, comment) => sum + comment.replies.length, 0)
  const marked = post.quotes.reduce(
    (marking, { id }) => addBacklink(marking, id, { ...refOf(thread), id: post.id }),
    added,
  )
  return {
    ...marked,
    // The event of another post may already have counted this post.
    commentCount: Math.max(commentCount, added.comments.length),
    replyCount: Math.max(replyCount, replies),
    lastActivity:
      post.sage || bumplocked ? lastActivity : new Date(Math.max(lastActivity.getTime(), post.createdAt.getTime())),
  }
}

const refOf = ({ id, boardId }: ThreadView): PostRef => ({ id, threadId: id, boardId })

/** Adds a backlink, unless an event has already added it. */
function addBacklink(thread: ThreadView, id: number, by: PostRef): ThreadView {
  const mark = <T extends PostView>(post: T): T =>
    post.id === id && post.quotedBy.every((ref) => ref.id !== by.id)
      ? { ...post, quotedBy: [...post.quotedBy, by].slice(0, boardLimits.quotedBy) }
      : post
  if (thread.id === id) return mark(thread)
  return {
    ...thread,
    comments: thread.comments.map((comment) => {
      const replies = comment.replies.some((reply) => reply.id === id) ? comment.replies.map(mark) : comment.replies
      return mark(replies === comment.replies ? comment : { ...comment, replies })
    }),
  }
}

export function removePost(thread: ThreadView, postId: number): ThreadView {
  const comment = thread.comments.find(({ id }) => id === postId)
  const parent = thread.comments.find(({ replies }) => replies.some((reply) => reply.id === postId))
  if (comment) {
    const comments = thread.comments.filter((other) => other !== comment)
    return updateCounts(thread, comments, { comments: 1, replies: comment.replies.length })
  }
  if (!parent) return thread
  const comments = mapReplies(thread.comments, parent.id, (replies) => replies.filter((reply) => reply.id !== postId))
  return updateCounts(thread, comments, { comments: 0, replies: 1 })
}

function updateCounts(
  thread: ThreadView,
  comments: CommentView[],
  gone: { comments: number; replies: number },
): ThreadView {
  const bumps = comments.flatMap((comment) => [comment, ...comment.replies]).filter((post) => !post.sage)
  const times = bumps.map((post) => post.createdAt.getTime())
  return {
    ...thread,
    comments,
    commentCount: Math.max(0, thread.commentCount - gone.comments),
    replyCount: Math.max(0, thread.replyCount - gone.replies),
    lastActivity: new Date(Math.max(thread.createdAt.getTime(), ...times)),
  }
}

/** Inserts or replaces an item in a list ordered by id. */
function upsertById<T extends PostView>(items: T[], item: T): T[] {
  const others = items.filter((other) => other.id !== item.id)
  const at = others.findIndex((other) => other.id > item.id)
  return at < 0 ? [...others, item] : others.toSpliced(at, 0, item)
}

const mapReplies = (comments: CommentView[], id: number, change: (replies: PostView[]) => PostView[]): CommentView[] =>
  comments.map((comment) => (comment.id === id ? { ...comment, replies: change(comment.replies) } : comment))
