import type { SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { hasErrorCode } from '#db/errors.server.ts'
import { createCaptchaError, restoreChallenge, spendChallenge, verifyChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { executeAndPublish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageUnits } from '#server/core/media/imageUnits.ts'
import { admitPost } from '#server/core/moderation/admission.ts'
import type { Admission } from '#server/core/moderation/admissionTypes.ts'
import { rejectBanned } from '#server/core/moderation/bans.ts'
import { createDeleteToken } from '#server/core/moderation/deleteToken.ts'
import { currentOrigin } from '#server/core/moderation/origins.ts'
import { requiresProofs } from '#server/core/moderation/switches.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { splitAuthor } from '#src/contract/authorName.ts'
import { boardMessages, type CommentView, canModerate, type PostView, type ThreadView } from '#src/contract/board.ts'
import type { commentForm, threadForm, threadParams } from '#src/contract/boardForms.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { quotedPosts } from '#src/lib/markup.ts'
import { findBoard } from './boards.ts'
import { isBoardId, parsePostId } from './ids.ts'
import { type PostKind, type StoredPostImages, storePostImages, toImageColumns } from './images.ts'
import {
  ALREADY_SPENT,
  type Hold,
  type InsertResult,
  insertIntoBoard,
  insertIntoThread,
  type NewPost,
} from './insertPost.ts'
import { findComment, findThread } from './queries.ts'
import { publishQuoteChanges, type Quotes, readQuotes, writeQuotes } from './quotes.ts'
import { calculateCost, isFull } from './threadLimits.ts'
import { createTripcode } from './tripcode.ts'
import { type PostRow, postView, threadView } from './view.ts'

type ThreadForm = z.output<typeof threadForm>
type CommentForm = z.output<typeof commentForm>
type ThreadPath = z.output<typeof threadParams>
type CommentPath = ThreadPath & { commentId: string }

/** A new post, with the token with which its author can delete it. */
export type Posted<View> = View & {
  deleteToken: string
  /** set if the post waits for a review */
  held?: true
  /** when a held post is published without a review; null if it waits for a moderator */
  heldUntil?: Date | null
}

const createAnswer = <View extends PostView>({ secrets }: Context, view: View, hold: Hold | null): Posted<View> => ({
  ...view,
  deleteToken: createDeleteToken(secrets.postDeletion, view.id),
  ...(hold && { held: true, heldUntil: hold.releaseAt }),
})

/** @throws AppError. Order of the checks: captcha, board, image. */
export async function createThread(ctx: Context, boardId: string, form: ThreadForm): Promise<Posted<ThreadView>> {
  const { row, quotes, hold } = await createPost(
    ctx,
    { ...form, sage: false },
    {
      kind: 'thread',
      boardId,
      parentId: null,
      insert: (newPost) => insertIntoBoard(validBoardId(boardId), form.title, newPost),
      check: () => findBoard(ctx, boardId),
    },
  )
  const head = { id: row.id, boardId, title: form.title, lastActivity: row.createdAt, ...NEW_THREAD }
  return createAnswer(ctx, threadView(head, row, [], quotes), hold)
}

const NEW_THREAD = { commentCount: 0, replyCount: 0, locked: false, pinned: false, archivedAt: null }

/** @throws AppError. Order of the checks: captcha, board and thread, lock, thread size, image. */
export async function createComment(ctx: Context, path: ThreadPath, form: CommentForm): Promise<Posted<CommentView>> {
  const { row, quotes, hold } = await createPost(ctx, form, createThreadTarget(ctx, path, 'comment', null))
  return createAnswer(ctx, { ...postView(row, quotes), replies: [] }, hold)
}

/** @throws AppError, like createComment */
export async function createReply(ctx: Context, path: CommentPath, form: CommentForm): Promise<Posted<PostView>> {
  const { row, quotes, hold } = await createPost(
    ctx,
    form,
    createThreadTarget(ctx, path, 'reply', parsePostId(path.commentId) ?? 0),
  )
  return createAnswer(ctx, postView(row, quotes), hold)
}

type PostTarget = {
  kind: PostKind
  boardId: string
  parentId: number | null
  insert: (newPost: NewPost) => SQL
  /** @throws AppError if the board, thread or comment does not exist, or the thread is archived, locked or full */
  check: (form: CommentForm) => Promise<unknown>
}

function createThreadTarget(
  ctx: Context,
  path: ThreadPath | CommentPath,
  kind: PostKind,
  parentId: number | null,
): PostTarget {
  const { boardId, threadId } = path
  const location = { boardId: validBoardId(boardId), threadId: parsePostId(threadId) ?? 0, parentId }
  const { limits } = ctx.config
  return {
    kind,
    boardId,
    parentId,
    insert: (newPost) => insertIntoThread(location, limits, newPost),
    async check(form) {
      const find =
        'commentId' in path ? findComment(ctx, boardId, threadId, path.commentId) : findThread(ctx, boardId, threadId)
      const { board, thread } = await find
      if (thread.archivedAt) throw errors.forbidden(boardMessages.threadArchived)
      if (thread.locked && !canModerate(await ctx.currentUser(), board))
        throw errors.forbidden(boardMessages.threadLocked)
      if (isFull(thread, calculateCost(form), limits)) throw errors.conflict(boardFormMessages.threadFull)
    },
  }
}

const validBoardId = (id: string) => (isBoardId(id) ? id : '')

/**
 * Stores and publishes a post. One statement stores a post without quotes and images, and spends its captcha. During a
 * raid the captcha is spent first, because admitting a post then uses up quotas of others.
 */
async function createPost(ctx: Context, typed: CommentForm, target: PostTarget): Promise<SavedPost> {
  const { nick, secret } = splitAuthor(typed.author)
  // From here on, nothing knows the secret: filters, logs and the database get the nick.
  const form = { ...typed, author: nick }
  const tripcode = secret === null ? null : createTripcode(ctx.secrets.tripcodes, secret)
  const captcha = { db: ctx.db, key: ctx.secrets.captcha, now: ctx.now(), address: ctx.address }
  const isQuoting = quotedPosts(form.content, 1).length > 0
  const uploads = form.image ?? []
  if (uploads.length > 0) ctx.charge(imageUnits(uploads))
  let captchaStatement = ALREADY_SPENT
  // The captcha is spent outside the transaction, so it stays spent if the post fails.
  if (isQuoting || uploads.length > 0 || (await requiresProofs(ctx))) await spendChallenge(captcha, form)
  else captchaStatement = await verifyChallenge(captcha, form)
  const { settle, ...admission } = await admitPost(ctx, {
    boardId: target.boardId,
    isThread: target.kind === 'thread',
    form,
  }).catch(async (error) => {
    // A refused post spends its captcha, so that nobody can try many texts with one answer.
    const spent = await ctx.db.execute(captchaStatement)
    throw spent.length > 0 ? error : createCaptchaError()
  })
  try {
    if (uploads.length > 0) await target.check(form)
    const stored = await storePostImages(ctx, uploads, target.kind).catch(restoreChallenge(captcha, form))
    const hold = createHold(admission, stored)
    const saved = await storePost(ctx, target, { form, tripcode, isQuoting, captchaStatement, hold, stored })
    settle(true)
    return saved
  } catch (error) {
    settle(false)
    throw error
  }
}

type Prepared = Pick<NewPost, 'tripcode' | 'hold' | 'captchaStatement'> & {
  form: CommentForm
  isQuoting: boolean
  stored: StoredPostImages
}

async function storePost(ctx: Context, target: PostTarget, { isQuoting, stored, ...prepared }: Prepared) {
  const { images } = stored
  const files = images.flatMap(imageFiles)
  try {
    // Storing images takes seconds, in which the poster may be banned.
    if (images.length > 0) await rejectBanned(ctx, target.boardId)
    if (prepared.hold) await ctx.files.withhold(files)
    const origin = await currentOrigin(ctx)
    const user = await ctx.currentUser()
    const newPost = { ...prepared, images, now: ctx.now(), authorHash: ctx.visitor(), origin, user }
    const save = (tx?: Transaction) => savePost(ctx, target, newPost, tx)
    const saved = await (isQuoting ? writeAndPublish(ctx, save) : save()).catch(ignoreDeletedParent)
    if (saved) return saved
    await target.check(prepared.form)
    throw errors.notFound(boardMessages.threadNotFound)
  } catch (error) {
    // After any other error, the post may be stored and need its files. Otherwise the cleanup job deletes them.
    if (error instanceof AppError) await ctx.files.remove([...files, ...files.map(withheldName)])
    throw error
  }
}

/** A post with an image that looks like a blocked one waits for a moderator, even if it would be published by itself. */
function createHold({ heldFor, releaseAt }: Admission, stored: StoredPostImages): Hold | null {
  if (stored.heldFor !== null) return { heldFor: stored.heldFor, releaseAt: null }
  return heldFor === null ? null : { heldFor, releaseAt }
}

type SavedPost = { row: PostRow; quotes: Quotes; hold: Hold | null }

/** @returns null if the board, thread or comment does not exist */
async function savePost(
  ctx: Context,
  { boardId, parentId, insert }: PostTarget,
  newPost: NewPost,
  tx?: Transaction,
): Promise<SavedPost | null> {
  const inserted = await executeAndPublish<InsertResult>(ctx, insert(newPost), tx)
  if (!inserted?.spent) throw createCaptchaError()
  if (inserted.refusal === 'archived') throw errors.forbidden(boardMessages.threadArchived)
  if (inserted.refusal === 'locked') throw errors.forbidden(boardMessages.threadLocked)
  if (inserted.refusal === 'full') throw errors.conflict(boardFormMessages.threadFull)
  if (inserted.id === null) return null
  const { author, sage, content, links } = newPost.form
  const { tripcode, hold, now } = newPost
  const { posterLabel } = inserted
  // The URLs of a held post's images answer 404.
  const { image, moreImages } = toImageColumns(hold ? [] : newPost.images)
  const id = Number(inserted.id)
  const shown = { author, tripcode, posterLabel, sage, content, links, image, moreImages, spoiler: false }
  const row: PostRow = { id, parentId, ...shown, createdAt: now }
  // A held post gets its quotes when it is published.
  return { row, quotes: await storeQuotes(row, boardId, now, hold ? undefined : tx), hold }
}

async function storeQuotes(
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

/** Ignores the foreign key error (23503) that occurs if the parent is deleted at the same time. */
function ignoreDeletedParent(error: unknown): null {
  if (hasErrorCode(error, '23503')) return null
  throw error
}
