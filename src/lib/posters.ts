import type { BanWidth } from '#src/contract/bans.ts'
import type { PosterScope } from '#src/contract/moderation.ts'
import { trpc } from './trpc.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

type PostOnBoard = { boardId: string; id: number }

/** A poster, one of the posts, and how many posts there are on the board and on the site. */
export type Poster = { label: string; post: PostOnBoard; board: number; site: number }

/** Finds who posted. Skips posts whose origin the site no longer knows. @param isAdmin whether to count on the site */
export async function readPosters(posts: PostOnBoard[], width: BanWidth, isAdmin: boolean): Promise<Poster[]> {
  const { poster } = (await trpc()).moderation
  const read = ({ boardId, id }: PostOnBoard, scope: PosterScope) => poster.query({ boardId, postId: id, scope, width })
  const found = await Promise.all(
    posts.map(async (post) => {
      const [onBoard, onSite] = await Promise.all([read(post, 'board'), isAdmin ? read(post, 'site') : null])
      return { label: onBoard.label, post, board: onBoard.posts, site: onSite?.posts ?? 0 }
    }),
  )
  // Several posts of one poster count once.
  const byLabel = new Map<string, Poster>()
  for (const one of found) if (one.label !== null) byLabel.set(one.label, { ...one, label: one.label })
  return [...byLabel.values()]
}

/** `scope` is null if the posts stay. */
export type PosterDeletion = { scope: PosterScope | null; width: BanWidth }
/** `width` is null if nobody is banned. */
export type PosterBan = { width: BanWidth | null; scope: PosterScope; days: number }

/**
 * Bans posters and deletes their posts, one poster after the other.
 * @param note below the post of each poster; empty for none
 * @returns the number of deleted posts
 */
export async function removePosters(
  posters: Poster[],
  deletion: PosterDeletion,
  { width, scope, days }: PosterBan,
  reason: string,
  note: string,
): Promise<number> {
  const { removePoster } = (await trpc()).moderation
  const ban = width === null ? undefined : { endsAt: new Date(Date.now() + days * DAY_MS), width, scope }
  let count = 0
  for (const { post } of posters) {
    const removed = await removePoster.mutate({
      boardId: post.boardId,
      postId: post.id,
      scope: deletion.scope ?? 'board',
      width: deletion.width,
      deletePosts: deletion.scope !== null,
      reason,
      ban,
      ...(note !== '' && { note }),
    })
    count += removed.count
  }
  return count
}
