import type { PostView } from '#src/contract/post.ts'
import { followStored, readStored, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import type { PostLocation } from './postLocation.ts'

const HELD_POSTS_KEY = 'dtpchan_held_posts'

/** Bounds the storage that held posts use. The oldest posts are forgotten first. */
const MAX_POSTS = 20
/** The server keeps removed posts this long. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** A post of this browser that waits for a review. Only this copy shows it to its author. */
export type HeldPost = Pick<PostView, 'id' | 'author' | 'content'> & {
  boardId: string
  /** the post's own id for a new thread */
  threadId: number
  /** the comment that a reply belongs to */
  commentId?: number
  title: string
  createdAt: string
  /** when the post appears without a review; null if it waits for a moderator */
  heldUntil: string | null
}

const isHeldPost = (value: Partial<Record<keyof HeldPost, unknown>> | null): value is HeldPost =>
  typeof value?.id === 'number' &&
  typeof value.threadId === 'number' &&
  [value.boardId, value.title, value.author, value.content, value.createdAt].every((text) => typeof text === 'string')

function readList(): HeldPost[] {
  const stored = readStored(HELD_POSTS_KEY)
  const since = Date.now() - MAX_AGE_MS
  return Array.isArray(stored) ? stored.filter(isHeldPost).filter((post) => Date.parse(post.createdAt) > since) : []
}

function save(posts: HeldPost[]): void {
  writeStored(HELD_POSTS_KEY, posts.length === 0 ? null : posts)
  heldPosts.set(posts)
}

/** This browser's posts that wait for a review, the oldest first. */
export const heldPosts = createStore(readList())

/** Learns of the posts of other tabs, also since this code was loaded. Returns a function that ends this. */
export function followHeldPosts(): () => void {
  const read = () => heldPosts.set(readList())
  read()
  return followStored(HELD_POSTS_KEY, read)
}

export function addHeldPost(post: PostView, location: PostLocation, title: string, heldUntil: string | null): void {
  const { id, author, content, createdAt } = post
  const { boardId } = location
  const comment = location.kind === 'reply' ? { commentId: location.commentId } : null
  const threadId = location.kind === 'thread' ? id : location.threadId
  const place = { boardId, threadId, ...comment }
  const held = { id, author, content, ...place, title, createdAt: createdAt.toISOString(), heldUntil }
  // Reads the list again, because another tab may have posted.
  save([...readList(), held].slice(-MAX_POSTS))
}

/** Forgets posts that were published, or that the author does not want to see any more. */
export function removeHeldPosts(ids: number[]): void {
  if (!heldPosts.get().some(({ id }) => ids.includes(id))) return
  const all = readList()
  const kept = all.filter(({ id }) => !ids.includes(id))
  if (kept.length < all.length) save(kept)
}
