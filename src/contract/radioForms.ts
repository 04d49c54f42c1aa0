import { z } from 'zod'

/** Parses an id of the radio service. Replaces an invalid id by -1, so that the lookup finds nothing. */
export const radioId = z
  .union([z.number(), z.string()])
  .transform((value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : -1))

export const stationParams = z.object({ stationId: radioId })
export const streamerParams = stationParams.extend({ streamerId: radioId })
export const broadcastParams = streamerParams.extend({ broadcastId: radioId })
