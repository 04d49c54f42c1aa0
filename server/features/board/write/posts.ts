import type { SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { type Attempt, abandonAttempt, spendChallenge } from '#server/core/auth/attempts.ts'
import { createCaptchaError, isCaptchaError, restoreChallenge, verifyChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { executeAndPublish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageUnits } from '#server/core/media/imageUnits.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { findPublished, findThread } from '#server/features/board/read/queries.ts'
import { type PostRow, postView, threadView } from '#server/features/board/read/view.ts'
import { evictOldest } from '#server/features/board/states/evictOldest.ts'
import { admitPost } from '#server/features/moderation/admission/admission.ts'
import { rejectBanned } from '#server/features/moderation/admission/liveBans.ts'
import { requiresProofs } from '#server/features/moderation/admission/switches.ts'
import { currentOrigin } from '#server/features/moderation/origins/origins.ts'
import type { Admission } from '#server/features/moderation/raids/raidAdmission.ts'
import { canModerate } from '#src/contract/board.ts'
import {
  type Capcode,
  type CommentView,
  capcodesOf,
  type PostForm,
  type PostView,
  type threadForm,
  type threadParams,
} from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type ThreadFlags, type ThreadView, threadFlags } from '#src/contract/thread.ts'
import { signForm } from './author.ts'
import { createDeleteToken } from './deleteToken.ts'
import { type PostKind, type StoredPostImages, storePostImages } from './images.ts'
import {
  ALREADY_SPENT,
  type Hold,
  type InsertResult,
  insertIntoBoard,
  insertIntoThread,
  type NewPost,
  toWritten,
} from './insertPost.ts'
import { findFirstPost, identifyPost, type SavedPost } from './repeatedPost.ts'
import { calculateCost, isFull } from './threadLimits.ts'

type ThreadPath = z.output<typeof threadParams>
type CommentPath = ThreadPath & { commentId: number }

/** The part of an answer that only the author of a new post gets. */
export type Receipt = {
  /** deletes the post */
  deleteToken: string
  /** set if the post waits for a review */
  held?: true
  /** when a held post is published without a review; null if it waits for a moderator */
  heldUntil?: Date | null
}

const createReceipt = ({ secrets }: Context, { row, hold }: SavedPost): Receipt => ({
  deleteToken: createDeleteToken(secrets.postDeletion, row),
  ...(hold && { held: true, heldUntil: hold.releaseAt }),
})

/** @throws AppError. Order of the checks: captcha, board, image. */
export async function createThread(
  ctx: Context,
  boardId: string,
  form: z.output<typeof threadForm>,
): Promise<Receipt & { thread: ThreadView }> {
  let { title } = form
  const saved = await createPost(ctx, form, {
    kind: 'thread',
    boardId,
    path: { boardId },
    parentId: null,
    insert(newPost) {
      // Filters may have changed it.
      if (newPost.form.title !== undefined) title = newPost.form.title
      return insertIntoBoard(validBoardId(boardId), title, newPost)
    },
    check: () => findBoard(ctx, boardId),
  })
  const { row, quotes } = saved
  const head = { id: row.id, boardId, title, lastActivity: row.createdAt, ...NEW_THREAD }
  return { thread: threadView(head, row, [], quotes), ...createReceipt(ctx, saved) }
}

const NEW_THREAD = {
  ...{ commentCount: 0, replyCount: 0, archivedAt: null },
  ...(Object.fromEntries(Object.keys(threadFlags).map((flag) => [flag, false])) as ThreadFlags),
}

/** @throws AppError. Order of the checks: captcha, board and thread, lock, thread size, image. */
export async function createComment(
  ctx: Context,
  path: ThreadPath,
  form: PostForm,
): Promise<Receipt & { comment: CommentView }> {
  const saved = await createPost(ctx, form, createThreadTarget(ctx, path, 'comment'))
  return { comment: { ...postView(saved.row, saved.quotes), replies: [] }, ...createReceipt(ctx, saved) }
}

/** @throws AppError, like createComment */
export async function createReply(
  ctx: Context,
  path: CommentPath,
  form: PostForm,
): Promise<Receipt & { reply: PostView }> {
  const saved = await createPost(ctx, form, createThreadTarget(ctx, path, 'reply'))
  return { reply: postView(saved.row, saved.quotes), ...createReceipt(ctx, saved) }
}

/** Why a thread takes no post. */
const REFUSALS = {
  archived: () => errors.forbidden(refusal('board.threadArchivedRefusal')),
  locked: () => errors.forbidden(refusal('board.threadLockedRefusal')),
  full: () => errors.conflict(refusal('board.threadFull')),
}

type PostTarget = {
  kind: PostKind
  boardId: string
  /** ids that name the place for good: the board of a thread can change */
  path: object
  parentId: number | null
  insert: (newPost: NewPost) => SQL
  /** @throws AppError if the board, thread or comment does not exist, or the thread is archived, locked or full */
  check: (form: PostForm) => Promise<unknown>
  /** returns the same place if the thread has moved to another board */
  follow?: () => Promise<PostTarget | null>
}

function createThreadTarget(ctx: Context, path: ThreadPath | CommentPath, kind: 'comment' | 'reply'): PostTarget {
  const { boardId, threadId } = path
  const parentId = 'commentId' in path ? path.commentId : null
  const location = { boardId: validBoardId(boardId), threadId, parentId }
  const { limits } = ctx.config
  return {
    kind,
    boardId,
    path: 'commentId' in path ? { threadId, commentId: path.commentId } : { threadId },
    parentId,
    insert: (newPost) => insertIntoThread(location, limits, newPost),
    async check(form) {
      const { board, thread } = await findPublished(ctx, path)
      if (thread.archivedAt) throw REFUSALS.archived()
      if (thread.locked && !canModerate(await ctx.currentUser(), board)) throw REFUSALS.locked()
      if (!thread.cyclical && isFull(thread, calculateCost(form), limits)) throw REFUSALS.full()
    },
    async follow() {
      const { board } = await findThread(ctx, boardId, threadId)
      return board.id === boardId ? null : createThreadTarget(ctx, { ...path, boardId: board.id }, kind)
    },
  }
}

const validBoardId = (id: string) => (isBoardId(id) ? id : '')

/** Stores and publishes a post. If the same form was sent before with the same captcha, returns the post it made. */
async function createPost(ctx: Context, typed: PostForm, target: PostTarget): Promise<SavedPost> {
  const form = await signForm(ctx, target.boardId, typed)
  if (form.image?.length) ctx.charge(imageUnits(form.image))
  const attempt = identifyPost(ctx, target.path, form)
  return createNewPost(ctx, { form, attempt }, target).catch(async (error) => {
    const first = attempt && isCaptchaError(error) ? await findFirstPost(ctx, attempt) : null
    if (first) return first
    throw error
  })
}

type ReadForm = { form: PostForm & NewPost['form']; attempt: Attempt | null }

/**
 * One statement stores a post without images, and spends its captcha. During a raid the captcha is spent first, because
 * admitting a post then uses up quotas of others. A post whose thread moves meanwhile is checked again for its new board.
 * @param isSpent whether the captcha is spent
 */
async function createNewPost(ctx: Context, read: ReadForm, target: PostTarget, isSpent = false): Promise<SavedPost> {
  const { form: given, attempt } = read
  const uploads = given.image ?? []
  // The captcha is spent outside the transaction, so it stays spent if the post fails.
  const isSpentFirst = isSpent || uploads.length > 0 || (await requiresProofs(ctx))
  if (isSpentFirst && !isSpent) await spendChallenge(ctx, given, attempt)
  const captchaStatement = isSpentFirst ? ALREADY_SPENT : await verifyChallenge(ctx, given)
  const abandon = async () => {
    if (isSpentFirst && attempt) await abandonAttempt(ctx.db, attempt)
  }
  const admit = async () => {
    if (given.capcode) await checkCapcode(ctx, target.boardId, given.capcode)
    return admitPost(ctx, { boardId: target.boardId, isThread: target.kind === 'thread', form: given })
  }
  const { form, forget, raid, ...admission } = await admit().catch(async (error) => {
    // A refused post spends its captcha, so that nobody can try many texts with one answer.
    const spent = await ctx.db.execute(captchaStatement)
    await abandon()
    throw spent.length > 0 ? error : createCaptchaError()
  })
  try {
    if (uploads.length > 0) await target.check(form)
    const stored = await storePostImages(ctx, uploads, target.kind).catch(async (error) => {
      await abandon()
      await restoreChallenge(ctx, form.challengeId, error)
      throw error
    })
    const hold = createHold(admission, stored)
    return await storePost(ctx, target, { form, captchaStatement, attempt, raid, hold, stored })
  } catch (error) {
    forget()
    // After any other error, the post may be stored.
    if (!(error instanceof AppError)) throw error
    const moved = error.code === 'NOT_FOUND' && !isSpent ? await target.follow?.().catch(() => null) : null
    if (moved) return createNewPost(ctx, read, moved, true)
    await abandon()
    throw error
  }
}

/** @throws AppError 401, 404, or 403 if the visitor may not sign like this on the board */
async function checkCapcode(ctx: Context, boardId: string, capcode: Capcode): Promise<void> {
  const user = await ctx.currentUser()
  if (!user) throw errors.unauthorized(refusal('auth.loginRequired'))
  const { board } = await findBoard(ctx, boardId)
  if (!capcodesOf(user, board).includes(capcode)) throw errors.forbidden(refusal('board.capcodeForbidden'))
}

type Prepared = ReadForm & Pick<NewPost, 'hold' | 'captchaStatement' | 'raid'> & { stored: StoredPostImages }

async function storePost(ctx: Context, target: PostTarget, { stored, ...prepared }: Prepared) {
  const { images } = stored
  const files = images.flatMap(imageFiles)
  try {
    // Storing images takes seconds, in which the poster may be banned.
    if (images.length > 0) await rejectBanned(ctx, target.boardId)
    if (prepared.hold) await ctx.files.withhold(files)
    const origin = await currentOrigin(ctx)
    const user = await ctx.currentUser()
    const newPost = { ...prepared, images, now: ctx.now(), authorHash: ctx.visitor(), origin, user }
    const saved = await savePost(ctx, target, newPost)
    if (saved) return saved
    await target.check(prepared.form)
    throw errors.notFound(refusal('board.threadNotFound'))
  } catch (error) {
    // After any other error, the post may be stored and need its files. Otherwise the cleanup job deletes them.
    if (error instanceof AppError)
      await retryLater(ctx.log, () => ctx.files.remove([...files, ...files.map(withheldName)]))
    throw error
  }
}

/** A post with an image that looks like a blocked one waits for a moderator, even if it would be published by itself. */
function createHold({ heldFor, releaseAt }: Admission, stored: StoredPostImages): Hold | null {
  if (stored.heldFor !== null) return { heldFor: stored.heldFor, releaseAt: null }
  return heldFor === null ? null : { heldFor, releaseAt }
}

/** @returns null if the board, thread or comment does not exist */
async function savePost(ctx: Context, { parentId, insert }: PostTarget, newPost: NewPost): Promise<SavedPost | null> {
  const inserted = await executeAndPublish<InsertResult>(ctx, insert(newPost))
  if (!inserted?.spent) throw createCaptchaError()
  if (inserted.refusal) throw REFUSALS[inserted.refusal]()
  if (inserted.id === null) return null
  const id = Number(inserted.id)
  newPost.raid?.onStored(inserted.raidLevel)
  // The post is stored, so its author must not send it again. The next post removes what this one could not.
  if (inserted.overfull !== null)
    await writeAndPublish(ctx, (tx) => evictOldest(ctx, tx, Number(inserted.overfull), [id])).catch((error) =>
      ctx.log.error({ err: error }, 'cannot remove the oldest posts of a cyclical thread'),
    )
  const { hold, now } = newPost
  // The URLs of a held post's images answer 404.
  const written = toWritten(hold ? { ...newPost, images: [] } : newPost)
  const row: PostRow = { ...written, id, parentId, posterLabel: inserted.posterLabel, createdAt: now }
  return { row, quotes: { quotes: new Map([[id, inserted.quotes ?? []]]), quotedBy: new Map() }, hold }
}
