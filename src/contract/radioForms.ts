import { z } from 'zod'

/** An id of the radio service in a path. An impossible id becomes -1, which is not found. */
const radioId = z
  .union([z.number(), z.string()])
  .transform((value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : -1))

export const stationParams = z.object({ stationId: radioId })
export const streamerParams = stationParams.extend({ streamerId: radioId })
export const broadcastParams = streamerParams.extend({ broadcastId: radioId })
