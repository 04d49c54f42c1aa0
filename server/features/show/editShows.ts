import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { type StoredImage, show, streamer } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type ShowForm, type ShowTiming, type ShowUpdate, type ShowView, showLimits } from '#src/contract/show.ts'
import { storeShowImage } from './images.ts'
import { rejectOverlap } from './overlap.ts'
import { readShows } from './service.ts'

type Editor = Context & { user: SessionUser }

/** @param isErased true if images are deleted: the cache then drops older versions of the pages, which link to them */
export const publishSchedule = (tx: Transaction, now: Date, { isErased = false } = {}) =>
  publish(tx, now, [
    { topic: 'shows', change: { kind: 'schedule' } },
    ...(isErased ? [{ topic: 'shows', change: { kind: 'erased' } } as const] : []),
  ])

/** Lets writers wait for each other: two of them could otherwise both find a time free. */
const lockShows = (tx: Transaction) => tx.execute('lock table show in share row exclusive mode')

/** @throws AppError 403, 404 for an unknown streamer, 409 for an overlap or too many shows, or as storeShowImage */
export async function createShow(ctx: Editor, { image: upload, streamer: name, ...form }: ShowForm): Promise<ShowView> {
  const userId = await findPlannedStreamer(ctx, name)
  const row = { ...form, ...timingOf(form) }
  await rejectOverlap(ctx, ctx.db, row)
  const stored = upload && (await storeShowImage(ctx, upload))
  try {
    return await writeAndPublish(ctx, async (tx) => {
      await lockShows(tx)
      if ((await tx.$count(show, eq(show.userId, userId))) >= showLimits.shows)
        throw errors.conflict(refusal('show.full', { max: showLimits.shows }))
      await rejectOverlap(ctx, tx, row)
      const values = { ...row, ...stored, userId, createdAt: ctx.now(), updatedAt: ctx.now() }
      const [created] = await tx.insert(show).values(values).returning({ id: show.id })
      await publishSchedule(tx, ctx.now())
      return readShow(tx, created?.id ?? 0)
    })
  } catch (error) {
    await removeUnused(ctx, error, stored?.image)
    throw error
  }
}

/** After any error but a refusal, the show may be stored and need its image. Otherwise the cleanup job deletes it. */
async function removeUnused(ctx: Editor, error: unknown, image: StoredImage | null = null): Promise<void> {
  if (error instanceof AppError) await retryLater(ctx.log, () => ctx.files.remove(imageFiles(image)))
}

/** @throws AppError 403, 404, 409 for an overlap or an outdated version, or as storeShowImage */
export async function updateShow(
  ctx: Editor,
  { id: idText, image: upload, removeImage, updatedAt, ...form }: ShowUpdate,
): Promise<ShowView> {
  const id = await findOwnShow(ctx, idText)
  const row = { ...form, ...timingOf(form) }
  await rejectOverlap(ctx, ctx.db, row, id)
  const stored = upload ? await storeShowImage(ctx, upload) : removeImage ? { imageId: null, image: null } : {}
  const { updated, oldFiles } = await writeAndPublish(ctx, async (tx) => {
    await lockShows(tx)
    await rejectOverlap(ctx, tx, row, id)
    const [before] = await tx.select({ image: show.image }).from(show).where(eq(show.id, id))
    if (!before) throw errors.notFound(refusal('show.notFound'))
    const [changed] = await tx
      .update(show)
      // Adds a millisecond if needed: two edits in the same millisecond must have different versions.
      .set({
        ...row,
        ...stored,
        updatedAt: sql`greatest(${ctx.now().toISOString()}, ${show.updatedAt} + interval '1 millisecond')`,
      })
      .where(and(eq(show.id, id), updatedAt && eq(show.updatedAt, updatedAt)))
      .returning({ id: show.id })
    if (!changed) throw errors.conflict(refusal('show.changedRefusal'))
    const oldFiles = 'image' in stored ? imageFiles(before.image) : []
    await publishSchedule(tx, ctx.now(), { isErased: oldFiles.length > 0 })
    return { updated: await readShow(tx, id), oldFiles }
  }).catch(async (error) => {
    await removeUnused(ctx, error, stored.image)
    throw error
  })
  await retryLater(ctx.log, () => ctx.files.remove(oldFiles))
  return updated
}

/** @throws AppError 403 or 404 */
export async function deleteShow(ctx: Editor, idText: string): Promise<void> {
  const id = await findOwnShow(ctx, idText)
  const files = await writeAndPublish(ctx, async (tx) => {
    const [removed] = await tx.delete(show).where(eq(show.id, id)).returning({ image: show.image })
    if (!removed) throw errors.notFound(refusal('show.notFound'))
    await publishSchedule(tx, ctx.now(), { isErased: removed.image !== null })
    return imageFiles(removed.image)
  })
  await retryLater(ctx.log, () => ctx.files.remove(files))
}

/** A show that takes place once ends on its first day. */
const timingOf = ({ isWeekly, lastDay }: Pick<ShowTiming, 'isWeekly' | 'lastDay'>) => ({
  lastDay: isWeekly ? lastDay : null,
})

/** Returns the id of the streamer whose show a user may add. @throws AppError 400, 403 or 404 */
async function findPlannedStreamer({ db, user }: Editor, name: string | undefined): Promise<string> {
  const isAdmin = user.role === 'admin'
  const isChosen =
    name === undefined ? eq(streamer.userId, user.id) : eq(sql`lower(${streamer.name})`, sql`lower(${name})`)
  const [found] = await db.select().from(streamer).where(isChosen)
  if (isAdmin) {
    if (!found)
      throw name === undefined
        ? errors.badRequest(refusal('show.streamerRefusal'))
        : errors.notFound(refusal('show.streamerNotFound'))
    return found.userId
  }
  if (name === undefined ? !found || found.disabled : found?.userId !== user.id || found.disabled)
    throw errors.forbidden(refusal('show.notStreamer'))
  return user.id
}

/** Returns the id of a show that a user may edit. @throws AppError 403 or 404 */
async function findOwnShow({ db, user }: Editor, idText: string): Promise<number> {
  // Larger numbers do not fit the column.
  const id = /^[1-9]\d{0,8}$/.test(idText) ? Number(idText) : 0
  const [found] = await db
    .select({ userId: show.userId, disabled: streamer.disabled })
    .from(show)
    .innerJoin(streamer, eq(streamer.userId, show.userId))
    .where(eq(show.id, id))
  if (!found) throw errors.notFound(refusal('show.notFound'))
  if (user.role === 'admin') return id
  if (found.userId !== user.id) throw errors.forbidden(refusal('show.notOwn'))
  if (found.disabled) throw errors.forbidden(refusal('show.notStreamer'))
  return id
}

async function readShow(tx: Transaction, id: number): Promise<ShowView> {
  const [found] = await readShows(tx, eq(show.id, id))
  if (!found) throw new Error('The show that was just written is missing')
  return found
}
