import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#db/client.server.ts'
import { user } from '#db/schema/index.ts'
import { generatePassword, hashPassword, isSamePassword, verifyPassword } from '#server/core/auth/passwords.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import type { AuthUser, LoginInput, LoginResult, PasswordChange, passkeyLogin } from '#src/contract/auth.ts'
import { refusal } from '#src/contract/refusal.ts'
import { countLogin, rememberNetwork } from './loginLimits.ts'
import { verifyPasskey } from './passkeys.ts'
import { verifyCode } from './secondFactor.ts'

/** @throws AppError 401, 429, 503 */
export async function login(ctx: Context, { email, password, code }: LoginInput): Promise<LoginResult> {
  const account = await findUser(ctx.db, email)
  const isRight = await isRightPassword(ctx, email, account, password)
  if (!isRight || !account) throw errors.unauthorized(refusal('auth.invalid'))
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
  if (!code) throw errors.unauthorized(refusal('auth.codeRequired'))
  const refund = await countLogin(ctx, account.email, account.id)
  if (!(await verifyCode(ctx, account, code))) throw errors.unauthorized(refusal('auth.codeWrong'))
  await refund()
}

type Account = typeof user.$inferSelect

async function startSession(ctx: Context, account: Account): Promise<LoginResult> {
  await rememberNetwork(ctx, account.id)
  const token = await ctx.sessions.create(account, clientName(ctx.userAgent))
  const current = await ctx.sessions.validate(token)
  if (!current) throw errors.unauthorized(refusal('auth.invalid'))
  await rejectReplacedPassword(ctx, account, current)
  return { token, user: userView(current) }
}

/** A change of the password during the login has not ended the new session. @throws AppError 401 */
async function rejectReplacedPassword(ctx: Context, { id, passwordHash }: Account, { sessionId }: SessionUser) {
  const [current] = await ctx.db.select({ passwordHash: user.passwordHash }).from(user).where(eq(user.id, id))
  if (current?.passwordHash === passwordHash) return
  await ctx.sessions.end(sessionId)
  throw errors.unauthorized(refusal('auth.invalid'))
}

export const userView = ({ id: _id, sessionId: _sessionId, ...view }: SessionUser): AuthUser => view

/** Checks the password of the logged-in user. @throws AppError 403, 429, 503 */
export async function requirePassword(ctx: Context, { email }: SessionUser, password: string): Promise<Account> {
  const account = await findUser(ctx.db, email)
  const isRight = await isRightPassword(ctx, email, account, password)
  if (!isRight || !account) throw errors.forbidden(refusal('auth.passwordWrong'))
  return account
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

/** @throws AppError 409 when the email is taken */
export async function createUser(db: Database, account: NewUser): Promise<void> {
  if (!(await insertUser(db, account))) throw errors.conflict(refusal('admin.userExists', { email: account.email }))
}

/** @returns false if the email is taken */
async function insertUser(db: Database, { password, ...account }: NewUser): Promise<boolean> {
  const id = randomBytes(12).toString('base64url')
  const email = account.email.toLowerCase()
  const inserted = await db
    .insert(user)
    .values({ ...account, id, email, passwordHash: await hashPassword(password) })
    .onConflictDoNothing({ target: user.email })
    .returning({ id: user.id })
  return inserted.length > 0
}

/** Changes the user's password and ends the user's other sessions. @throws AppError 400, 403, 429, 503 */
export async function changeOwnPassword(
  ctx: Context,
  current: SessionUser,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  if (isSamePassword(newPassword, currentPassword)) throw errors.badRequest(refusal('auth.passwordSame'))
  const { passwordHash: checked } = await requirePassword(ctx, current, currentPassword)
  const passwordHash = await hashPassword(newPassword)
  // An admin may have replaced the password meanwhile, because somebody else knows it.
  const changed = await ctx.db
    .update(user)
    .set({ passwordHash, generatedPassword: false })
    .where(and(eq(user.id, current.id), eq(user.passwordHash, checked)))
    .returning({ id: user.id })
  if (changed.length === 0) throw errors.forbidden(refusal('auth.passwordWrong'))
  await ctx.sessions.endOthers(current)
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
  if ((await db.$count(user)) > 0) return null
  const admin = { email: 'admin@localhost', password: generatePassword() }
  // If another process inserts the admin first, that process shows the password.
  return (await insertUser(db, { ...admin, role: 'admin', generatedPassword: true })) ? admin : null
}

/** Order matters: Edge and Opera also name Chrome, and Chrome also names Safari. */
const BROWSERS = [
  [/EdgA?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biP(hone|ad|od)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const nameOf = (names: typeof BROWSERS | typeof SYSTEMS, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Names the browser and system for the list of sessions: `Firefox on Linux`. Returns an empty text if unknown. */
export function clientName(userAgent: string): string {
  const browser = nameOf(BROWSERS, userAgent)
  const system = nameOf(SYSTEMS, userAgent)
  return [browser, system].filter(Boolean).join(' on ')
}
