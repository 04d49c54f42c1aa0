import { z } from 'zod'
import { alertLimits } from './alerts.ts'
import { refusal } from './refusal.ts'

const endpoint = z
  .string(refusal('board.alertEndpoint'))
  .max(alertLimits.endpoint, refusal('board.alertEndpoint'))
  .pipe(z.url({ protocol: /^https?$/, error: refusal('board.alertEndpoint') }))
const base64url = (bytes: number) =>
  z
    .string(refusal('board.alertKeys'))
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), refusal('board.alertKeys'))

/** The fields of a browser's `PushSubscription`. */
export const subscriptionForm = z.object({
  endpoint,
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }, refusal('board.alertKeys')),
})
export const unsubscribeForm = z.object({ endpoint })
