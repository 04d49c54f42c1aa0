import { asc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { pick } from '#db/schema/columns.ts'
import { passkey, session, streamer, user } from '#db/schema/index.ts'
import { generatePassword, hashPassword } from '#server/core/auth/passwords.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { type NewPassword, type NewUser, newUser, type RoleChange, type UserView } from '#src/contract/auth.ts'
import { refusal } from '#src/contract/refusal.ts'
import { removeFactor } from './secondFactor.ts'
import { createUser, findUser } from './service.ts'

/** The admin who acts. Missing in commands, which may change every user. */
type Actor = Pick<SessionUser, 'email'>

const noUser = (email: string) => errors.notFound(refusal('admin.noUser', { email }))

/** Uses raw SQL, because Drizzle omits the table in `user.id`. */
const moderatedBoards = sql<string[]>`coalesce((
  select json_agg(m.board_id order by m.board_id) from moderator m
  join board b on b.id = m.board_id and b.deleted_at is null where m.user_id = "user"."id"), '[]'::json)`

export async function listUsers({ db, now }: Pick<Services, 'db' | 'now'>): Promise<UserView[]> {
  const openSessions = sql<number>`(select count(*)::int from ${session} s
    where s.user_id = "user"."id" and s.expires_at > ${now().toISOString()})`
  return db
    .select({
      ...pick(user, newUser.shape),
      createdAt: user.createdAt,
      sessions: openSessions,
      moderates: moderatedBoards,
      hasSecondFactor: user.secondFactor,
      streamer: { name: streamer.name, isDisabled: streamer.disabled },
    })
    .from(user)
    .leftJoin(streamer, eq(streamer.userId, user.id))
    .orderBy(asc(user.email))
}

/** Adds a user with a generated password, which nobody can read later. @throws AppError 409 if the email is taken */
export async function addUser(db: Database, account: NewUser): Promise<NewPassword> {
  const password = generatePassword()
  await createUser(db, { ...account, password, generatedPassword: true })
  return { email: account.email, password }
}

/** Replaces a password by a generated one and ends all sessions of the user. @throws AppError 404 */
export async function renewPassword(services: Pick<Services, 'db' | 'sessions'>, email: string): Promise<NewPassword> {
  const password = generatePassword()
  await resetPassword(services, email, password, true)
  return { email, password }
}

/** Resets a password and ends all sessions of the user. @throws AppError 404 */
export async function resetPassword(
  services: Pick<Services, 'db' | 'sessions'>,
  email: string,
  password: string,
  generatedPassword = false,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const [changed] = await services.db
    .update(user)
    .set({ passwordHash, generatedPassword })
    .where(eq(user.email, email))
    .returning({ id: user.id })
  if (!changed) throw noUser(email)
  await services.sessions.endAll(changed.id)
}

/**
 * Removes the authenticator app, the passkeys and the recovery codes of a user who lost them. Ends all sessions.
 * @throws AppError 404
 */
export async function resetSecondFactor(
  { db, sessions }: Pick<Services, 'db' | 'sessions'>,
  email: string,
): Promise<void> {
  const account = await findUser(db, email)
  if (!account) throw noUser(email)
  await removeFactor(db, account.id, async (tx) => {
    await tx.update(user).set({ totpSecret: null }).where(eq(user.id, account.id))
    await tx.delete(passkey).where(eq(passkey.userId, account.id))
  })
  await sessions.endAll(account.id)
}

/** @throws AppError 404 */
export async function endSessions({ db, sessions }: Pick<Services, 'db' | 'sessions'>, email: string): Promise<void> {
  const [found] = await db.select({ id: user.id }).from(user).where(eq(user.email, email))
  if (!found) throw noUser(email)
  await sessions.endAll(found.id)
}

/**
 * Changes a role. The new role applies to open sessions at once.
 * @throws AppError 403 for the actor's own role, 404, 409 if no admin would remain
 */
export async function changeRole(db: Database, { email, role }: RoleChange, actor?: Actor): Promise<void> {
  if (actor?.email === email) throw errors.forbidden(refusal('admin.userOwnRole'))
  await db.transaction(async (tx) => {
    if (role !== 'admin') await requireOtherAdmin(tx, email)
    const changed = await tx.update(user).set({ role }).where(eq(user.email, email)).returning({ id: user.id })
    if (changed.length === 0) throw noUser(email)
  })
}

/** @throws AppError 403 for the actor's own account, 404, 409 if no admin would remain */
export async function removeUser(
  services: Publisher & Pick<Services, 'now'>,
  email: string,
  actor?: Actor,
): Promise<void> {
  if (actor?.email === email) throw errors.forbidden(refusal('admin.userOwnAccount'))
  await writeAndPublish(services, async (tx) => {
    await requireOtherAdmin(tx, email)
    const removed = await tx.delete(user).where(eq(user.email, email)).returning({ id: user.id })
    if (removed.length === 0) throw noUser(email)
    await publish(tx, services.now(), [
      { topic: 'boards', change: { kind: 'boards' } },
      // The shows of a streamer are deleted with the user.
      { topic: 'shows', change: { kind: 'schedule' } },
      ...removed.map(({ id }) => ({ topic: 'streamers', change: { kind: 'streamer', userId: id } }) as const),
    ])
  })
}

/** Locks the rows of all admins: concurrent requests must not remove the last two. @throws AppError 409 */
async function requireOtherAdmin(tx: Transaction, email: string): Promise<void> {
  const admins = await tx
    .select({ email: user.email })
    .from(user)
    .where(eq(user.role, 'admin'))
    .orderBy(asc(user.id))
    .for('update')
  if (admins.length === 1 && admins[0]?.email === email) throw errors.conflict(refusal('admin.userLastAdmin'))
}
