import { and, asc, between, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast, broadcastTrack, livePost, thread } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { publishBroadcast } from '#server/features/radio/broadcastRows.ts'
import { hashId } from '#server/features/radio/library/files.ts'
import {
  type Broadcast,
  isOwnRecording,
  type RecordedBroadcast,
  type RecordingUpdate,
  recordingLimits,
} from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { isRecorded, listRecordings, recordedFrom } from './archive.ts'
import { openRecordings } from './store.ts'

type Row = typeof broadcast.$inferSelect
type Writer = Pick<Context, 'db' | 'cache' | 'visitor' | 'now'>

/** Limits the list of a streamer's own recordings. */
const MAX_OWN = 2000

const mayEdit = (user: SessionUser | null, { userId }: Pick<Row, 'userId'>) =>
  user !== null && (user.role === 'admin' || user.id === userId)

/** @throws AppError NOT_FOUND unless there is a complete recording */
async function findRecorded(db: Services['db'] | Transaction, id: number): Promise<Row> {
  const [row] = isOwnRecording(id)
    ? await db
        .select()
        .from(broadcast)
        .where(and(isRecorded, eq(broadcast.id, id)))
    : []
  if (!row) throw errors.notFound(refusal('archive.notFound'))
  return row
}

/** @throws AppError NOT_FOUND, also for a hidden recording of others */
export async function readRecording(
  { db, currentUser }: Pick<Context, 'db' | 'currentUser'>,
  id: number,
): Promise<RecordedBroadcast> {
  const row = await findRecorded(db, id)
  if (row.isHidden && !mayEdit(await currentUser(), row)) throw errors.notFound(refusal('archive.notFound'))
  const { stationId, streamerName, title, seconds, isHidden } = row
  const startedAt = recordedFrom(row)
  return {
    ...{ id, stationId, title, startedAt, seconds, isHidden },
    streamer: { id: hashId(streamerName), name: streamerName },
    tracks: await readTracks(db, row),
    ...(await readDiscussion(db, row, startedAt)),
  }
}

/** Leaves out tracks after the end: a recording can stop before its broadcast. */
const readTracks = (db: Services['db'], { id, seconds }: Pick<Row, 'id' | 'seconds'>) =>
  db
    .select({ seconds: broadcastTrack.seconds, artist: broadcastTrack.artist, title: broadcastTrack.title })
    .from(broadcastTrack)
    .where(and(eq(broadcastTrack.broadcastId, id), between(broadcastTrack.seconds, 0, seconds)))
    .orderBy(asc(broadcastTrack.seconds), asc(broadcastTrack.id))
    .limit(recordingLimits.tracks)

/** Reads the thread, and which of its posts were written during the broadcast. */
async function readDiscussion(
  db: Services['db'],
  { threadId, seconds }: Row,
  startedAt: Date,
): Promise<Pick<RecordedBroadcast, 'thread' | 'posts'>> {
  if (threadId === null) return { thread: null, posts: [] }
  const end = new Date(startedAt.getTime() + seconds * 1000)
  const [found] = await db
    .select({ boardId: thread.boardId, id: thread.id })
    .from(thread)
    .where(and(eq(thread.id, threadId), isNull(thread.deletedAt)))
  if (!found) return { thread: null, posts: [] }
  const posts = await db
    .select({ id: livePost.id, createdAt: livePost.createdAt })
    .from(livePost)
    .where(and(eq(livePost.threadId, threadId), between(livePost.createdAt, startedAt, end)))
    .orderBy(asc(livePost.id))
    .limit(recordingLimits.posts)
  return {
    thread: found,
    posts: posts.map(({ id, createdAt }) => ({ id, seconds: (createdAt.getTime() - startedAt.getTime()) / 1000 })),
  }
}

/** Lists the recordings of a streamer that the user may change, hidden ones too. */
export async function listOwnRecordings(
  { db, user }: Pick<Context, 'db'> & { user: SessionUser },
  { stationId, streamerId }: { stationId: number; streamerId: number },
): Promise<(Broadcast & { isHidden: boolean })[]> {
  const where = user.role === 'admin' ? undefined : eq(broadcast.userId, user.id)
  const listed = await listRecordings(db, { stationId, where, limit: MAX_OWN })
  return listed
    .filter(({ streamerName }) => hashId(streamerName) === streamerId)
    .map(({ isHidden, broadcast }) => ({ ...broadcast, isHidden }))
}

/** @throws AppError NOT_FOUND, FORBIDDEN, or BAD_REQUEST for a position after the end */
export async function updateRecording(
  ctx: Writer & { user: SessionUser },
  { id, title, isHidden, tracks }: RecordingUpdate,
): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const row = await findOwn(tx, ctx.user, id)
    const changed = { ...(title !== undefined && { title }), ...(isHidden !== undefined && { isHidden }) }
    if (Object.keys(changed).length > 0) await tx.update(broadcast).set(changed).where(eq(broadcast.id, id))
    if (tracks) {
      if (tracks.some(({ seconds }) => seconds > row.seconds))
        throw errors.badRequest(refusal('archive.recordingPosition'))
      await tx.delete(broadcastTrack).where(eq(broadcastTrack.broadcastId, id))
      const sorted = tracks.toSorted((a, b) => a.seconds - b.seconds)
      if (sorted.length > 0) {
        await tx.insert(broadcastTrack).values(sorted.map((track) => ({ ...track, broadcastId: id })))
      }
      await publishBroadcast(tx, ctx.now(), id, 'tracks')
    }
    await publishBroadcast(tx, ctx.now(), id, 'broadcast')
  })
}

/** @throws AppError NOT_FOUND or FORBIDDEN */
export async function deleteRecording(
  ctx: Writer & Pick<Context, 'config' | 'log'> & { user: SessionUser },
  id: number,
): Promise<void> {
  const file = await writeAndPublish(ctx, async (tx) => {
    const row = await findOwn(tx, ctx.user, id)
    await tx.delete(broadcastTrack).where(eq(broadcastTrack.broadcastId, id))
    await dropFiles(tx, ctx.now(), [id])
    return row.file
  })
  // The recording is gone from the archive, so its streamer cannot try again.
  if (file) await retryLater(ctx.log, () => openRecordings(ctx.config).remove(file))
}

async function findOwn(tx: Transaction, user: SessionUser, id: number): Promise<Row> {
  const row = await findRecorded(tx, id)
  if (!mayEdit(user, row)) {
    throw row.isHidden
      ? errors.notFound(refusal('archive.notFound'))
      : errors.forbidden(refusal('archive.recordingNotYours'))
  }
  return row
}

/** The files are deleted after the commit: after a crash in between, the job `recordings` deletes them. */
export async function dropFiles(tx: Transaction, now: Date, ids: number[]): Promise<void> {
  for (const id of ids) {
    await tx.update(broadcast).set({ file: null, bytes: 0 }).where(eq(broadcast.id, id))
    await publishBroadcast(tx, now, id, 'broadcast')
  }
}
