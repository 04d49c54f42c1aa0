import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { writeStored } from '#src/lib/storage.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'

/** Bound the storage that a visitor's posts use. The oldest posts and texts are forgotten first. */
const MAX_POSTS = 200
const MAX_TEXTS = 20

/** A post that this browser sent. The token allows its author to delete it. */
export type OwnPost = {
  id: number
  token: string
  /** missing for posts that earlier versions noted, as is `boardId` */
  threadId?: number
  boardId?: string
  /** the comment that a reply belongs to */
  commentId?: number
  held?: HeldText
}

/** A post that waits for a review. Only this copy shows it to its author. */
export type HeldText = Record<'title' | 'author' | 'content' | 'createdAt', string> & {
  /** when the post appears without a review; null if it waits for a moderator */
  heldUntil: string | null
}

const isOwnPost = (value: Partial<OwnPost> | null): value is OwnPost =>
  typeof value?.id === 'number' && typeof value.token === 'string'
const isHeldText = (held: Partial<HeldText> | undefined) =>
  [held?.title, held?.author, held?.content, held?.createdAt].every((text) => typeof text === 'string')
const withoutText = ({ held: _, ...post }: OwnPost): OwnPost => post

// Earlier versions kept the texts of held posts here.
writeStored('dtpchan_held_posts', null)

/** This browser's posts, the newest first. */
export const ownPosts = createStoredStore(OWN_POSTS_KEY, (stored): OwnPost[] =>
  Array.isArray(stored)
    ? stored.filter(isOwnPost).map((post) => (isHeldText(post.held) ? post : withoutText(post)))
    : [],
)

/** @returns the token with which this browser can delete a post; undefined for the posts of others */
export const findToken = (id: number): string | undefined => ownPosts.get().find((post) => post.id === id)?.token

export const addOwnPost = (added: OwnPost): void =>
  ownPosts.change((posts) => {
    let texts = 0
    return [added, ...posts]
      .slice(0, MAX_POSTS)
      .map((post) => (post.held && ++texts > MAX_TEXTS ? withoutText(post) : post))
  })

/** Forgets a post that its author deleted, or of whose removal the author knows. */
export const forgetOwnPost = (id: number): void => ownPosts.change((posts) => posts.filter((post) => post.id !== id))

/** Forgets the texts of posts that were published, or that the author does not want to see any more. */
export const forgetHeldTexts = (ids: number[]): void =>
  ownPosts.change((posts) =>
    posts.some(({ id, held }) => held && ids.includes(id))
      ? posts.map((post) => (ids.includes(post.id) ? withoutText(post) : post))
      : posts,
  )
