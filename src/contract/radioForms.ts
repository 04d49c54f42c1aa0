import { z } from 'zod'
import { MAX_LISTENER_HOURS } from './listenerCounts.ts'
import { pathNumber } from './pathNumber.ts'
import { refusal } from './refusal.ts'

export const stationParams = z.object({ stationId: pathNumber })
export const streamerParams = stationParams.extend({ streamerId: pathNumber })
export const broadcastParams = streamerParams.extend({ broadcastId: pathNumber })

/** Unusable values of untrusted JSON count as missing. */
const stationId = z.coerce.number().int().positive().max(999_999_999)

/** A call of an AzuraCast. `station` is an object in its JSON, and may be an id in the URL. */
export const azuracastCall = z.object({
  token: z.string().max(200).optional().catch(undefined).describe('AZURACAST_WEBHOOK_TOKEN, if no header has it'),
  authorization: z
    .string()
    .max(1000)
    .optional()
    .catch(undefined)
    .describe('AZURACAST_WEBHOOK_TOKEN as a bearer token, or as the password of any user'),
  station: z
    .union([z.object({ id: stationId }).transform(({ id }) => id), stationId])
    .optional()
    .catch(undefined)
    .describe('the station that changed; the first one if missing'),
})

export const listenerCountsInput = z.object({
  station: pathNumber.default(1),
  hours: z
    .int(refusal('radio.listenerHours', { max: MAX_LISTENER_HOURS }))
    .min(1, refusal('radio.listenerHours', { max: MAX_LISTENER_HOURS }))
    .max(MAX_LISTENER_HOURS, refusal('radio.listenerHours', { max: MAX_LISTENER_HOURS }))
    .default(24)
    .describe('how far back the counts go'),
})
