import { randomBytes } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#db/client.server.ts'
import { passkey, user } from '#db/schema/index.ts'
import { hashPassword, verifyPassword } from '#server/core/auth/passwords.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import { authMessages, type LoginInput, type LoginResult, type PasswordChange } from '#src/contract/auth.ts'
import type { passkeyLogin } from '#src/contract/secondFactor.ts'
import type { AuthUser, Role } from '#src/contract/user.ts'
import { clientName } from './clientName.ts'
import { countLogin, rememberNetwork } from './loginLimits.ts'
import { verifyPasskey } from './passkeys.ts'
import { removeFactor, verifyCode } from './secondFactor.ts'

/** @throws AppError 401, 429, 503 */
export async function login(ctx: Context, { email, password, code }: LoginInput): Promise<LoginResult> {
  const account = await findUser(ctx.db, email)
  const isRight = await isRightPassword(ctx, email, account, password)
  if (!isRight || !account) throw errors.unauthorized(authMessages.invalid)
  if (account.secondFactor) await requireCode(ctx, account, code)
  return startSession(ctx, account)
}

export async function loginWithPasskey(ctx: Context, input: z.output<typeof passkeyLogin>): Promise<LoginResult> {
  const refund = await consumeRateLimit(ctx, 'login')
  const account = await verifyPasskey(ctx, input)
  await refund()
  return startSession(ctx, account)
}

/** A wrong code counts as a login attempt. @throws AppError 401, 429 */
async function requireCode(ctx: Context, account: Account, code: string | undefined): Promise<void> {
  if (!code) throw errors.unauthorized(authMessages.codeRequired)
  const refund = await countLogin(ctx, account.email, account.id)
  if (!(await verifyCode(ctx, account, code))) throw errors.unauthorized(authMessages.codeWrong)
  await refund()
}

type Account = typeof user.$inferSelect

async function startSession(ctx: Context, account: Account): Promise<LoginResult> {
  await rememberNetwork(ctx, account.id)
  const token = await ctx.sessions.create(account, clientName(ctx.userAgent))
  const current = await ctx.sessions.validate(token)
  if (!current) throw errors.unauthorized(authMessages.invalid)
  return { token, user: userView(current) }
}

export const userView = ({ email, role, generatedPassword, needsSecondFactor }: SessionUser): AuthUser => ({
  email,
  role,
  generatedPassword,
  ...(needsSecondFactor && { needsSecondFactor }),
})

/** Checks the password of the logged-in user. @throws AppError 403, 429, 503 */
export async function requirePassword(ctx: Context, { email }: SessionUser, password: string): Promise<void> {
  const account = await findUser(ctx.db, email)
  if (!(await isRightPassword(ctx, email, account, password))) throw errors.forbidden(authMessages.passwordWrong)
}

/**
 * Checks a password. A wrong password counts as a login attempt, so a stolen session cannot be used to guess it.
 * @throws AppError 429, 503
 */
async function isRightPassword(
  ctx: Context,
  email: string,
  account: { id: string; passwordHash: string } | null,
  password: string,
): Promise<boolean> {
  const refund = await countLogin(ctx, email, account?.id ?? null)
  const isRight = await verifyPassword(account?.passwordHash, password).catch(async (error) => {
    await refund()
    throw error
  })
  if (isRight) await refund()
  return isRight
}

export async function findUser(db: Database, email: string) {
  const [found] = await db.select().from(user).where(eq(user.email, email.toLowerCase()))
  return found ?? null
}

type NewUser = AuthUser & { password: string }

/** @throws Error when the email is taken */
export async function createUser(db: Database, account: NewUser): Promise<void> {
  if (!(await insertUser(db, account))) throw new Error(`The user ${account.email} already exists`)
}

/** @returns false if the email is taken */
async function insertUser(db: Database, account: NewUser): Promise<boolean> {
  const inserted = await db
    .insert(user)
    .values({
      id: randomBytes(12).toString('base64url'),
      email: account.email.toLowerCase(),
      passwordHash: await hashPassword(account.password),
      role: account.role,
      generatedPassword: account.generatedPassword ?? false,
    })
    .onConflictDoNothing({ target: user.email })
    .returning({ id: user.id })
  return inserted.length > 0
}

export async function listUsers(db: Database): Promise<(AuthUser & { createdAt: Date })[]> {
  return db.select({ email: user.email, role: user.role, createdAt: user.createdAt }).from(user).orderBy(user.email)
}

/** Changes the user's password and ends the user's other sessions. @throws AppError 400, 403, 429, 503 */
export async function changeOwnPassword(
  ctx: Context,
  current: SessionUser,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  if (newPassword === currentPassword) throw errors.badRequest(authMessages.passwordSame)
  await requirePassword(ctx, current, currentPassword)
  const passwordHash = await hashPassword(newPassword)
  await ctx.db.update(user).set({ passwordHash, generatedPassword: false }).where(eq(user.id, current.id))
  await ctx.sessions.endOthers(current)
}

/** Resets a password and ends all sessions of the user. */
export async function resetPassword(services: Pick<Services, 'db' | 'sessions'>, email: string, password: string) {
  const passwordHash = await hashPassword(password)
  const [changed] = await services.db
    .update(user)
    .set({ passwordHash, generatedPassword: false })
    .where(eq(user.email, email.toLowerCase()))
    .returning({ id: user.id })
  if (!changed) throw new Error(`There is no user ${email}`)
  await services.sessions.endAll(changed.id)
}

/** Removes the authenticator app, the passkeys and the recovery codes of a user who lost them. Ends all sessions. */
export async function resetSecondFactor({ db, sessions }: Pick<Services, 'db' | 'sessions'>, email: string) {
  const account = await findUser(db, email)
  if (!account) throw new Error(`There is no user ${email}`)
  await removeFactor(db, account.id, async (tx) => {
    await tx.update(user).set({ totpSecret: null }).where(eq(user.id, account.id))
    await tx.delete(passkey).where(eq(passkey.userId, account.id))
  })
  await sessions.endAll(account.id)
}

/** Changes a role. The new role applies to open sessions at once. */
export async function changeRole(db: Database, email: string, role: Role): Promise<void> {
  const changed = await db.update(user).set({ role }).where(eq(user.email, email.toLowerCase())).returning()
  if (changed.length === 0) throw new Error(`There is no user ${email}`)
}

export async function removeUser({ db, now }: Pick<Services, 'db' | 'now'>, email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const removed = await tx.delete(user).where(eq(user.email, email.toLowerCase())).returning({ id: user.id })
    if (removed.length === 0) throw new Error(`There is no user ${email}`)
    await publish(tx, now(), [{ topic: 'boards', change: { kind: 'boards' } }])
  })
}

/**
 * Creates an admin for a new site.
 * @returns the admin if the password was generated and must be shown; otherwise null
 */
export async function ensureAdmin({ db, config }: Pick<Services, 'db' | 'config'>) {
  if (config.admin) {
    if (!(await findUser(db, config.admin.email))) await insertUser(db, { ...config.admin, role: 'admin' })
    return null
  }
  const [users] = await db.select({ count: count() }).from(user)
  if (users && users.count > 0) return null
  const admin = { email: 'admin@localhost', password: randomBytes(12).toString('base64url') }
  // If another process inserts the admin first, that process shows the password.
  return (await insertUser(db, { ...admin, role: 'admin', generatedPassword: true })) ? admin : null
}
