import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { and, eq, lt, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Database, Transaction } from '#db/client.server.ts'
import { passkey, recoveryCode, user } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hashToken } from '#server/core/security/capability.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'
import type { SecondFactorView } from '#src/contract/auth.ts'
import { refusal } from '#src/contract/refusal.ts'
import { openSetup, sealSetup, spendSetup } from './setup.ts'

const STEP_SECONDS = 30
const RECOVERY_CODES = 10
/** 80 bits, so that a fast hash is enough */
const RECOVERY_CODE_BYTES = 10

type TotpSetup = { userId: string; secret: string }
type Account = Pick<typeof user.$inferSelect, 'id' | 'totpSecret'>

export async function readSecondFactor(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { id }: SessionUser,
): Promise<SecondFactorView> {
  const [account] = await db.select({ totpSecret: user.totpSecret }).from(user).where(eq(user.id, id))
  const { id: passkeyId, name, createdAt, usedAt } = passkey
  const passkeys = await db
    .select({ id: passkeyId, name, createdAt, usedAt })
    .from(passkey)
    .where(eq(passkey.userId, id))
    .orderBy(passkey.createdAt)
  const { origin, hostname } = new URL(config.siteUrl)
  return {
    totp: Boolean(account?.totpSecret),
    passkeys,
    passkeyOrigin: isIP(hostname.replace(/[[\]]/g, '')) === 0 ? origin : null,
    recoveryCodes: await db.$count(recoveryCode, eq(recoveryCode.userId, id)),
  }
}

/** Returns the key for an authenticator app. The server stores it only when `confirmTotp` gets a code of the app. */
export function startTotp(ctx: Context, { id, email }: SessionUser): { uri: string; secret: string; setup: string } {
  const secret = new Secret({ size: 20 }).base32
  const issuer = new URL(ctx.config.siteUrl).host
  const uri = new TOTP({ issuer, label: email, secret, period: STEP_SECONDS }).toString()
  return { uri, secret, setup: sealSetup<TotpSetup>(ctx, 'totp', { userId: id, secret }) }
}

/** @returns new recovery codes if the user had no second factor, otherwise null. @throws AppError 400 */
export async function confirmTotp(
  ctx: Context,
  { id }: SessionUser,
  { setup, code }: { setup: string; code: string },
): Promise<string[] | null> {
  const started = openSetup<TotpSetup>(ctx, 'totp', setup)
  if (started?.userId !== id) throw errors.badRequest(refusal('auth.setupExpired'))
  const totpStep = acceptedStep(started.secret, code, ctx.now())
  if (totpStep === null) throw errors.badRequest(refusal('auth.codeWrong'))
  // A repeated setup would accept used codes again.
  if (!(await spendSetup(ctx, started))) throw errors.badRequest(refusal('auth.setupExpired'))
  const totpSecret = sealBytes(ctx.secrets.secondFactor, Buffer.from(id), Buffer.from(started.secret))
  return addFactor(ctx.db, id, async (tx) => {
    await tx.update(user).set({ totpSecret, totpStep }).where(eq(user.id, id))
  })
}

export const removeTotp = (ctx: Context, { id }: SessionUser): Promise<void> =>
  removeFactor(ctx.db, id, async (tx) => {
    await tx.update(user).set({ totpSecret: null }).where(eq(user.id, id))
  })

/** Runs a change that adds a factor. @returns recovery codes if it is the user's first factor, otherwise null */
export async function addFactor(
  db: Database,
  userId: string,
  add: (tx: Transaction) => Promise<void>,
): Promise<string[] | null> {
  return db.transaction(async (tx) => {
    const [before] = await tx.select({ had: user.secondFactor }).from(user).where(eq(user.id, userId)).for('update')
    await add(tx)
    await tx.update(user).set({ secondFactor: true }).where(eq(user.id, userId))
    return before?.had ? null : insertRecoveryCodes(tx, userId)
  })
}

/** Runs a change that removes a factor. Without any factor, the recovery codes go too. */
export async function removeFactor(
  db: Database,
  userId: string,
  remove: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
    await remove(tx)
    const hasPasskey = sql<boolean>`exists (select 1 from ${passkey} where ${passkey.userId} = ${userId})`
    const [after] = await tx
      .update(user)
      .set({ secondFactor: sql`${user.totpSecret} is not null or ${hasPasskey}` })
      .where(eq(user.id, userId))
      .returning({ has: user.secondFactor })
    if (!after?.has) await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  })
}

/** Replaces the recovery codes. @throws AppError 409 without a second factor */
export async function replaceRecoveryCodes(ctx: Context, { id }: SessionUser): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    const [account] = await tx.select({ has: user.secondFactor }).from(user).where(eq(user.id, id)).for('update')
    if (!account?.has) throw errors.conflict(refusal('auth.factorFailed'))
    return insertRecoveryCodes(tx, id)
  })
}

async function insertRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_CODE_BYTES).toString('hex'))
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, hash: hashToken(code, 'utf8') })))
  return codes.map((code) => code.replace(/(.{5})(?=.)/g, '$1-'))
}

/** Accepts a code of the authenticator app or a recovery code, each only once. */
export async function verifyCode(ctx: Context, account: Account, text: string): Promise<boolean> {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  if (!/^\d{6}$/.test(code)) {
    const used = await ctx.db
      .delete(recoveryCode)
      .where(and(eq(recoveryCode.userId, account.id), eq(recoveryCode.hash, hashToken(code, 'utf8'))))
      .returning({ userId: recoveryCode.userId })
    return used.length > 0
  }
  const secret = account.totpSecret && openBytes(ctx.secrets.secondFactor, Buffer.from(account.id), account.totpSecret)
  const totpStep = secret ? acceptedStep(secret.toString(), code, ctx.now()) : null
  if (totpStep === null) return false
  const accepted = await ctx.db
    .update(user)
    .set({ totpStep })
    .where(and(eq(user.id, account.id), lt(user.totpStep, totpStep)))
    .returning({ id: user.id })
  return accepted.length > 0
}

/** Returns the time step of a right code, or null. Accepts the steps before and after, because clocks differ. */
function acceptedStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const totp = new TOTP({ secret, period: STEP_SECONDS })
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}
