import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { followStored, readStored, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import { hasPosted } from './hasPosted.ts'

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

function readList(): OwnPost[] {
  const stored = readStored(OWN_POSTS_KEY)
  return Array.isArray(stored) ? stored.filter(isOwnPost) : []
}

/** This browser's posts, the newest first. */
export const ownPosts = createStore(readList())

/** @returns the token with which this browser can delete a post; undefined for the posts of others */
export const findToken = (id: number): string | undefined => ownPosts.get().find((post) => post.id === id)?.token

export function addOwnPost(post: OwnPost): void {
  // Reads the list again, because another tab may have posted.
  save([post, ...readList()].slice(0, MAX_POSTS))
  hasPosted.set(true)
}

/** Forgets a post that its author deleted, or of whose removal the author knows. */
export const forgetOwnPost = (id: number): void => save(readList().filter((post) => post.id !== id))

/** Learns what other tabs posted and deleted, also since this code was loaded. Returns a function that ends this. */
export function followOwnPosts(): () => void {
  const read = () => ownPosts.set(readList())
  read()
  return followStored(OWN_POSTS_KEY, read)
}

function save(posts: OwnPost[]): void {
  ownPosts.set(posts)
  writeStored(OWN_POSTS_KEY, posts)
}
