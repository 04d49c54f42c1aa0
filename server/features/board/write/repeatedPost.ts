import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import { type Attempt, findMadeItem, identifyAttempt } from '#server/core/auth/attempts.ts'
import type { Context } from '#server/core/context.ts'
import { type Quotes, readQuotes } from '#server/features/board/quotes.ts'
import { columnsOf } from '#server/features/board/read/queries.ts'
import type { PostRow } from '#server/features/board/read/view.ts'
import type { PostForm } from '#src/contract/post.ts'
import type { Hold } from './insertPost.ts'

export type SavedPost = { row: PostRow; quotes: Quotes; hold: Hold | null }

/**
 * Identifies the attempt to post a form.
 * @param path ids of the place. A thread can move before the form is sent again, so the form's `boardId` is not compared.
 * @param form `author` without the secret, which must not be hashed with a fast hash
 */
export function identifyPost(ctx: Context, path: object, form: PostForm): Attempt | null {
  const { challengeId, captchaAnswer: _answer, proofOfWork: _proof, image = [], ...texts } = form
  return identifyAttempt(ctx, challengeId, () => {
    const images = image.map(({ bytes }) => createHash('sha256').update(bytes).digest('base64'))
    return [path, { ...texts, boardId: undefined }, images]
  })
}

/** Reads what the first request of an attempt stored. Returns null if it stored nothing, or the post was erased. */
export async function findFirstPost({ db }: Context, attempt: Attempt): Promise<SavedPost | null> {
  const id = await findMadeItem(db, attempt)
  if (id === null) return null
  const { state, heldFor, releaseAt } = post
  const columns = { ...columnsOf(post), state, heldFor, releaseAt }
  const [found] = await db.select(columns).from(post).where(eq(post.id, id))
  if (!found || found.state === 'erased') return null
  const isLive = found.state === 'live'
  // The URLs of the images of other posts answer 404.
  const row = isLive ? found : { ...found, image: null, moreImages: null }
  // No post quotes itself, so its board is not needed.
  const quotes = await readQuotes(db, isLive ? [{ ...found, boardId: '' }] : [])
  const hold = found.state === 'held' ? { heldFor: found.heldFor ?? '', releaseAt: found.releaseAt } : null
  return { row, quotes, hold }
}
