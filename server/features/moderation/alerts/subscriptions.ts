import { ECDH } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { pushSubscription } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { deriveVapidKeys } from '#server/core/security/vapid.ts'
import type { subscriptionForm, unsubscribeForm } from '#src/contract/alertForms.ts'
import { alertLimits, alertMessages } from '#src/contract/alerts.ts'

/** Returns the public key that a browser needs to subscribe. */
export const readPushKey = ({ secrets }: Pick<Context, 'secrets'>) => ({
  publicKey: deriveVapidKeys(secrets.webPush).publicKey,
})

/** Stores a browser that receives alerts. Keeps the newest subscriptions of the user. @throws AppError 400 */
export async function subscribe(
  ctx: Context,
  { endpoint, keys }: z.output<typeof subscriptionForm>,
  user: SessionUser,
): Promise<void> {
  // Operators who allow private networks may run a push service in one.
  if (!endpoint.startsWith('https:') && !ctx.config.allowPrivateNetwork) throw errors.badRequest(alertMessages.endpoint)
  if (!isPublicKey(keys.p256dh)) throw errors.badRequest(alertMessages.keys)
  const values = { userId: user.id, ...keys, createdAt: ctx.now() }
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(pushSubscription)
      .values({ endpoint, ...values })
      .onConflictDoUpdate({ target: pushSubscription.endpoint, set: values })
    const oldest = tx
      .select({ id: pushSubscription.id })
      .from(pushSubscription)
      .where(eq(pushSubscription.userId, user.id))
      .orderBy(desc(pushSubscription.createdAt), desc(pushSubscription.id))
      .offset(alertLimits.subscriptionsPerUser)
    await tx.delete(pushSubscription).where(inArray(pushSubscription.id, oldest))
  })
}

export async function unsubscribe(
  { db }: Context,
  { endpoint }: z.output<typeof unsubscribeForm>,
  user: SessionUser,
): Promise<void> {
  await db
    .delete(pushSubscription)
    .where(and(eq(pushSubscription.endpoint, endpoint), eq(pushSubscription.userId, user.id)))
}

/** Returns whether a text is a point of the curve. Encrypting for another one would fail. */
function isPublicKey(text: string): boolean {
  try {
    return ECDH.convertKey(text, 'prime256v1', 'base64url', 'hex', 'uncompressed').length === 130
  } catch {
    return false
  }
}
