import { randomBytes } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { streamer, user } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { hashToken } from '#server/core/security/capability.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { NewStreamer, OwnStreamer, StreamerChange, StreamerView, StreamPassword } from '#src/contract/streamer.ts'
import { rejectReservedName, rejectTakenName } from './names.ts'

type Writer = Publisher & Pick<Services, 'config' | 'site' | 'now'>

const ownColumns = { name: streamer.name, isDisabled: streamer.disabled }
const columns = { email: user.email, ...ownColumns, createdAt: streamer.createdAt }

export const listStreamers = ({ db }: Pick<Services, 'db'>): Promise<StreamerView[]> =>
  db.select(columns).from(streamer).innerJoin(user, eq(user.id, streamer.userId)).orderBy(asc(user.email))

export async function findOwnStreamer(db: Database, userId: string): Promise<OwnStreamer | null> {
  const [own] = await db.select(ownColumns).from(streamer).where(eq(streamer.userId, userId))
  return own ?? null
}

/** Lets a user stream. The password cannot be read later. @throws AppError 404, 409 */
export async function allowStreamer(ctx: Writer, { email, name }: NewStreamer): Promise<StreamPassword> {
  rejectReservedName(ctx, name)
  const password = generateStreamPassword()
  await writeAndPublish(ctx, async (tx) => {
    const [found] = await tx.select({ id: user.id }).from(user).where(eq(user.email, email))
    if (!found) throw errors.notFound(refusal('admin.userNotFound'))
    await rejectTakenName(tx, name, found.id)
    const inserted = await tx
      .insert(streamer)
      .values({ userId: found.id, name, passwordHash: hashToken(password, 'utf8'), createdAt: ctx.now() })
      .onConflictDoNothing({ target: streamer.userId })
      .returning({ userId: streamer.userId })
    if (inserted.length === 0) throw errors.conflict(refusal('streamer.exists'))
    await publishSchedule(tx, ctx.now())
  })
  return { name, password }
}

/** Replaces the password and disconnects the streamer's sources. @throws AppError 404 */
export async function renewStreamPassword(ctx: Writer, email: string): Promise<StreamPassword> {
  const password = generateStreamPassword()
  const { name } = await writeAndPublish(ctx, async (tx) => {
    const found = await lockStreamer(tx, email)
    const passwordHash = hashToken(password, 'utf8')
    await tx.update(streamer).set({ passwordHash }).where(eq(streamer.userId, found.userId))
    await publishDisconnect(tx, ctx.now(), found.userId)
    return found
  })
  return { name, password }
}

/** @throws AppError 403 if the user may not stream */
export async function renewOwnStreamPassword(ctx: Writer, { id, email }: SessionUser): Promise<StreamPassword> {
  const own = await findOwnStreamer(ctx.db, id)
  if (!own) throw errors.forbidden(refusal('streamer.ownMissing'))
  if (own.isDisabled) throw errors.forbidden(refusal('streamer.ownDisabled'))
  return renewStreamPassword(ctx, email)
}

/** Renames, disables or enables a streamer. Disabling disconnects the sources. @throws AppError 404, 409 */
export async function changeStreamer(ctx: Writer, { email, name, isDisabled }: StreamerChange): Promise<StreamerView> {
  if (name !== undefined) rejectReservedName(ctx, name)
  return writeAndPublish(ctx, async (tx) => {
    const { userId } = await lockStreamer(tx, email)
    if (name !== undefined) await rejectTakenName(tx, name, userId)
    const [row] = await tx
      .update(streamer)
      .set({ ...(name !== undefined && { name }), ...(isDisabled !== undefined && { disabled: isDisabled }) })
      .where(eq(streamer.userId, userId))
      .returning({ ...ownColumns, createdAt: streamer.createdAt })
    if (!row) throw new Error('UPDATE returned no streamer')
    if (isDisabled) await publishDisconnect(tx, ctx.now(), userId)
    await publishSchedule(tx, ctx.now())
    return { email, ...row }
  })
}

/** Removes the account with its shows and disconnects its sources. The user stays. @throws AppError 404 */
export async function removeStreamer(ctx: Writer, email: string): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const { userId } = await lockStreamer(tx, email)
    await tx.delete(streamer).where(eq(streamer.userId, userId))
    await publishDisconnect(tx, ctx.now(), userId)
    await publishSchedule(tx, ctx.now())
  })
}

/** @throws AppError 404 */
async function lockStreamer(tx: Transaction, email: string): Promise<{ userId: string; name: string }> {
  const [found] = await tx
    .select({ userId: streamer.userId, name: streamer.name })
    .from(streamer)
    .innerJoin(user, eq(user.id, streamer.userId))
    .where(eq(user.email, email))
    .for('update', { of: streamer })
  if (!found) throw errors.notFound(refusal('streamer.notStreamer'))
  return found
}

/** The schedule shows the names of streamers. */
const publishSchedule = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'shows', change: { kind: 'schedule' } }])

const publishDisconnect = (tx: Transaction, now: Date, userId: string) =>
  publish(tx, now, [{ topic: 'streamers', change: { kind: 'streamer', userId } }])

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** 130 random bits */
const LENGTH = 26

/** Returns a password of letters and digits: every program stores them unchanged in its settings and in URLs. */
const generateStreamPassword = (): string =>
  [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
