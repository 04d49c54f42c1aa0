import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { hasErrorCode } from '#db/errors.server.ts'
import { createCaptchaError, restoreChallenge, spendChallenge, verifyChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { executeAndPublish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { boardMessages, type CommentView, type PostView, type ThreadView } from '#src/contract/board.ts'
import type { commentForm, threadForm, threadParams } from '#src/contract/boardForms.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { quotedPosts } from '#src/lib/markup.ts'
import { findBoard } from './boards.ts'
import { isBoardId, parsePostId } from './ids.ts'
import { type KeptImage, type PostPlace, storeImage } from './images.ts'
import { type NewPost, type Placed, placeOnBoard, placeOnThread } from './insertPost.ts'
import { findComment, findThread } from './queries.ts'
import { publishQuoteChanges, type Quotes, readQuotes, writeQuotes } from './quotes.ts'
import { costOf, isFull } from './threadLimits.ts'
import { type PostRow, postView, threadView } from './view.ts'

type ThreadForm = z.output<typeof threadForm>
type CommentForm = z.output<typeof commentForm>
type ThreadPath = z.output<typeof threadParams>
type CommentPath = ThreadPath & { commentId: string }

/** Opens a thread. Refusals in this order: captcha, board, picture. */
export async function createThread(ctx: Context, boardId: string, form: ThreadForm): Promise<ThreadView> {
  const { row, quotes } = await publish(ctx, form, {
    kind: 'thread',
    boardId,
    parentId: null,
    placing: (one) => placeOnBoard(possibleBoard(boardId), form.title, one),
    require: () => findBoard(ctx, boardId),
  })
  const head = { id: row.id, boardId, title: form.title, lastActivity: row.createdAt, commentCount: 0, replyCount: 0 }
  return threadView(head, row, [], quotes)
}

/** Comments on a thread. Refusals in this order: captcha, board and thread, full, picture. */
export async function createComment(ctx: Context, path: ThreadPath, form: CommentForm): Promise<CommentView> {
  const { row, quotes } = await publish(ctx, form, onThread(ctx, path, 'comment', null))
  return { ...postView(row, quotes), replies: [] }
}

/** Replies to a comment. Refusals as for comments. */
export async function createReply(ctx: Context, path: CommentPath, form: CommentForm): Promise<PostView> {
  const { row, quotes } = await publish(ctx, form, onThread(ctx, path, 'reply', parsePostId(path.commentId) ?? 0))
  return postView(row, quotes)
}

/** Where a post is to go. */
type Target = {
  kind: PostPlace
  boardId: string
  parentId: number | null
  placing: (one: NewPost) => SQL
  /** throws what says why nothing can be put there */
  require: (form: CommentForm) => Promise<unknown>
}

function onThread(ctx: Context, path: ThreadPath | CommentPath, kind: PostPlace, parentId: number | null): Target {
  const { boardId, threadId } = path
  const place = { boardId: possibleBoard(boardId), threadId: parsePostId(threadId) ?? 0, parentId }
  const { limits } = ctx.config
  return {
    kind,
    boardId,
    parentId,
    placing: (one) => placeOnThread(place, limits, one),
    async require(form) {
      const find =
        'commentId' in path ? findComment(ctx, boardId, threadId, path.commentId) : findThread(ctx, boardId, threadId)
      const { thread: on } = await find
      if (isFull(on, costOf(form), limits)) throw errors.conflict(boardMessages.threadFull)
    },
  }
}

const possibleBoard = (id: string) => (isBoardId(id) ? id : '')

/** Writes a post down: one that quotes nobody and has no picture in a single statement, which spends its captcha too. */
async function publish(ctx: Context, form: CommentForm, { kind, boardId, parentId, placing, require }: Target) {
  const captcha = { db: ctx.db, key: ctx.secrets.captcha, now: ctx.now(), address: ctx.address }
  const isQuoting = quotedPosts(form.content, 1).length > 0
  const isPlain = !isQuoting && !form.image
  // A captcha stays spent whatever becomes of the post: never in a transaction that may be rolled back.
  const spending = isPlain ? await verifyChallenge(captcha, form) : await spendChallenge(captcha, form)
  if (form.image) await require(form)
  const store = (image: UploadedFile) => storeImage(ctx, image, kind).catch(returnCaptcha(captcha, form))
  return withImage(ctx, form.image && (await store(form.image)), async (kept) => {
    const now = ctx.now()
    const statement = placing({ form, kept, now, by: ctx.visitor(), spending: spending ?? sql`select 1` })
    const put = async (tx?: Transaction) => {
      const placed = await executeAndPublish<Placed>(ctx, statement, tx)
      if (!placed?.spent) throw createCaptchaError()
      if (placed.refusal === 'full') throw errors.conflict(boardMessages.threadFull)
      if (placed.id === null) return null
      const { author, content, links } = form
      const row: PostRow = {
        id: Number(placed.id),
        parentId,
        author,
        content,
        links,
        image: kept?.image ?? null,
        createdAt: now,
      }
      return { row, quotes: await quote(row, boardId, now, tx) }
    }
    const placed = await (isQuoting ? writeAndPublish(ctx, put) : put()).catch(unlessParentGone)
    if (placed) return placed
    await require(form)
    // It was deleted and is there again, or rather never will be: the place is gone.
    throw errors.notFound(boardMessages.threadNotFound)
  })
}

async function quote(
  { id, content }: PostRow,
  boardId: string,
  now: Date,
  tx: Transaction | undefined,
): Promise<Quotes> {
  if (!tx) return { quotes: new Map(), quotedBy: new Map() }
  const quoted = await writeQuotes(tx, id, content)
  await publishQuoteChanges(tx, now, quoted, boardId)
  return readQuotes(tx, [id])
}

/** Deleted while the statement waited for the thread: it is the foreign key that has seen it. */
function unlessParentGone(error: unknown): null {
  if (hasErrorCode(error, '23503')) return null
  throw error
}

/** A post whose image could not be stored for lack of time, or by a fault, does not cost its captcha. */
const returnCaptcha =
  (captcha: Parameters<typeof restoreChallenge>[0], form: CommentForm) => async (error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') await restoreChallenge(captcha, form)
    throw error
  }

/** Writes a post around its stored image: when the post is refused no file stays behind. */
async function withImage<T>(
  ctx: Context,
  kept: KeptImage | undefined,
  write: (kept: KeptImage | null) => Promise<T>,
): Promise<T> {
  try {
    return await write(kept ?? null)
  } catch (error) {
    // After any other failure the post may stand all the same: the answer was lost, not the writing. The sweep knows.
    if (error instanceof AppError) await ctx.files.remove(imageFiles(kept?.image ?? null))
    throw error
  }
}
