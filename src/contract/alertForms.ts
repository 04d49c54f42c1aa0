import { z } from 'zod'
import { alertLimits, alertMessages } from './alerts.ts'

const endpoint = z
  .string(alertMessages.endpoint)
  .max(alertLimits.endpoint, alertMessages.endpoint)
  .pipe(z.url({ protocol: /^https?$/, error: alertMessages.endpoint }))
const base64url = (bytes: number) =>
  z
    .string(alertMessages.keys)
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), alertMessages.keys)

/** The fields of a browser's `PushSubscription`. */
export const subscriptionForm = z.object({
  endpoint,
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }, alertMessages.keys),
})
export const unsubscribeForm = z.object({ endpoint })
