import { randomBytes } from 'node:crypto'
import { spentCaptcha } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'

/** Long enough to find a phone and scan a code. */
const LIFETIME_MS = 10 * 60 * 1000

type Purpose = 'totp' | 'add-passkey' | 'passkey-login'
type Sealed<Content> = Content & { expires: number; nonce: string }
type Sealer = Pick<Context, 'secrets' | 'now'>

/** Encrypts the state of a setup or login that has two steps, so that the server does not store it between them. */
export function sealSetup<Content extends object>(
  { secrets, now }: Sealer,
  purpose: Purpose,
  content: Content,
): string {
  const sealed = { ...content, expires: now().getTime() + LIFETIME_MS, nonce: randomBytes(12).toString('base64url') }
  return sealBytes(secrets.secondFactor, Buffer.from(purpose), Buffer.from(JSON.stringify(sealed))).toString(
    'base64url',
  )
}

/** Returns null if the text was changed, has expired, or was sealed for another purpose. */
export function openSetup<Content extends object>(
  { secrets, now }: Sealer,
  purpose: Purpose,
  text: string,
): Sealed<Content> | null {
  const bytes = openBytes(secrets.secondFactor, Buffer.from(purpose), Buffer.from(text, 'base64url'))
  const sealed = bytes && (JSON.parse(bytes.toString()) as Sealed<Content>)
  return sealed && sealed.expires > now().getTime() ? sealed : null
}

/** Marks a sealed text as used. @returns false if it was used before */
export async function spendSetup({ db }: Pick<Context, 'db'>, { nonce, expires }: Sealed<object>): Promise<boolean> {
  const spent = await db
    .insert(spentCaptcha)
    .values({ nonce, expiresAt: new Date(expires) })
    .onConflictDoNothing()
    .returning({ nonce: spentCaptcha.nonce })
  return spent.length > 0
}
