import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { passkey, user } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import { addFactor, removeFactor } from './secondFactor.ts'
import { openSetup, sealSetup, spendSetup } from './setup.ts'

/** Few visitors use passkeys, and the library has seventy modules. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** Keeps the list of a user short, and a thief of a session from filling the table. */
const MAX_PASSKEYS = 20

const relyingParty = ({ config }: Pick<Context, 'config'>) => {
  const { origin, hostname } = new URL(config.siteUrl)
  return { origin, id: hostname }
}

/** Returns the options for `navigator.credentials.create`. @throws AppError 409 for too many passkeys */
export async function startPasskey(ctx: Context, { id, email }: SessionUser) {
  const { id: rpID } = relyingParty(ctx)
  const existing = await ctx.db.select({ id: passkey.id }).from(passkey).where(eq(passkey.userId, id))
  if (existing.length >= MAX_PASSKEYS) throw errors.conflict(refusal('auth.passkeyFailed'))
  const options = await (await loadWebAuthn()).generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: email,
    userID: new TextEncoder().encode(id),
    excludeCredentials: existing,
    // A passkey replaces password and code, so the device must check its owner and keep the account's name.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { options, setup: sealSetup(ctx, 'add-passkey', { userId: id, challenge: options.challenge }) }
}

/** @returns new recovery codes if the user had no second factor, otherwise null. @throws AppError 400, 409 */
export async function confirmPasskey(
  ctx: Context,
  { id: userId }: SessionUser,
  { setup, name, response }: { setup: string; name: string; response: object },
): Promise<string[] | null> {
  const started = openSetup<{ userId: string; challenge: string }>(ctx, 'add-passkey', setup)
  if (started?.userId !== userId || !(await spendSetup(ctx, started))) {
    throw errors.badRequest(refusal('auth.setupExpired'))
  }
  const { origin, id: rpID } = relyingParty(ctx)
  const { verified, registrationInfo } = await (await loadWebAuthn())
    .verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: started.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
    })
    .catch(refuse)
  if (!verified) return refuse()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return addFactor(ctx.db, userId, async (tx) => {
    const inserted = await tx
      .insert(passkey)
      .values({ id, userId, name, publicKey, counter, transports, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: passkey.id })
    if (inserted.length === 0) throw errors.conflict(refusal('auth.passkeyRefused'))
  })
}

export const removePasskey = (ctx: Context, { id: userId }: SessionUser, id: string): Promise<void> =>
  removeFactor(ctx.db, userId, async (tx) => {
    await tx.delete(passkey).where(and(eq(passkey.userId, userId), eq(passkey.id, id)))
  })

/** Returns the options for `navigator.credentials.get`. The device offers the accounts that it knows. */
export async function startPasskeyLogin(ctx: Context) {
  const options = await (await loadWebAuthn()).generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    userVerification: 'required',
  })
  return { options, setup: sealSetup(ctx, 'passkey-login', { challenge: options.challenge }) }
}

/** Checks a passkey. @returns the user. @throws AppError 401 */
export async function verifyPasskey(ctx: Context, { setup, response }: { setup: string; response: { id: string } }) {
  const started = openSetup<{ challenge: string }>(ctx, 'passkey-login', setup)
  if (!started || !(await spendSetup(ctx, started))) throw errors.unauthorized(refusal('auth.setupExpired'))
  const [found] = await ctx.db
    .select({ key: passkey, account: user })
    .from(passkey)
    .innerJoin(user, eq(user.id, passkey.userId))
    .where(eq(passkey.id, response.id))
  if (!found) return refuse()
  const { id, publicKey, counter, transports } = found.key
  const { origin, id: expectedRPID } = relyingParty(ctx)
  const { verified, authenticationInfo } = await (await loadWebAuthn())
    .verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: started.challenge,
      expectedOrigin: origin,
      expectedRPID,
      credential: {
        id,
        publicKey: new Uint8Array(publicKey),
        counter,
        transports: transports as AuthenticatorTransport[],
      },
    })
    .catch(refuse)
  if (!verified) return refuse()
  await ctx.db
    .update(passkey)
    .set({ counter: authenticationInfo.newCounter, usedAt: ctx.now() })
    .where(eq(passkey.id, id))
  return found.account
}

/** The library throws for every malformed or wrong answer. Its messages may quote the answer. */
function refuse(): never {
  throw errors.unauthorized(refusal('auth.passkeyRefused'))
}
