import { OWN_POSTS_KEY, type PostView } from '#src/contract/post.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'
import type { PostLocation } from './postLocation.ts'

/** Bounds the storage that a visitor's posts use. The oldest posts are forgotten first. */
const MAX_POSTS = 200

/** A post that this browser sent. The token allows its author to delete it. */
export type OwnPost = {
  id: number
  token: string
  /** missing for posts that earlier versions noted, as is `boardId` */
  threadId?: number
  boardId?: string
}

const isOwnPost = (value: Partial<OwnPost> | null): value is OwnPost =>
  typeof value?.id === 'number' && typeof value.token === 'string'

/** This browser's posts, the newest first. */
export const ownPosts = createStoredStore(OWN_POSTS_KEY, (stored): OwnPost[] =>
  Array.isArray(stored) ? stored.filter(isOwnPost) : [],
)

/** @returns the token with which this browser can delete a post; undefined for the posts of others */
export const findToken = (id: number): string | undefined => ownPosts.get().find((post) => post.id === id)?.token

export const addOwnPost = (post: OwnPost): void => ownPosts.change((posts) => [post, ...posts].slice(0, MAX_POSTS))

/** Forgets a post that its author deleted, or of whose removal the author knows. */
export const forgetOwnPost = (id: number): void => ownPosts.change((posts) => posts.filter((post) => post.id !== id))

const MAX_HELD_POSTS = 20
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

/** This browser's posts that wait for a review, the oldest first. */
export const heldPosts = createStoredStore(
  'dtpchan_held_posts',
  (stored): HeldPost[] => {
    const since = Date.now() - MAX_AGE_MS
    return Array.isArray(stored) ? stored.filter(isHeldPost).filter((post) => Date.parse(post.createdAt) > since) : []
  },
  (posts) => (posts.length > 0 ? posts : null),
)

export function addHeldPost(post: PostView, location: PostLocation, title: string, heldUntil: string | null): void {
  const { id, author, content, createdAt } = post
  const { boardId } = location
  const comment = location.kind === 'reply' ? { commentId: location.commentId } : null
  const threadId = location.kind === 'thread' ? id : location.threadId
  const place = { boardId, threadId, ...comment }
  const held = { id, author, content, ...place, title, createdAt: createdAt.toISOString(), heldUntil }
  heldPosts.change((posts) => [...posts, held].slice(-MAX_HELD_POSTS))
}

/** Forgets posts that were published, or that the author does not want to see any more. */
export function removeHeldPosts(ids: number[]): void {
  if (!heldPosts.get().some(({ id }) => ids.includes(id))) return
  heldPosts.change((posts) => posts.filter(({ id }) => !ids.includes(id)))
}
