import { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import {
  azuracastCall,
  listenerCountsInput,
  listenerCountsSchema,
  nowPlayingSchema,
  stationParams,
  stationSchema,
} from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { readPassword } from './input/login.ts'
import { readListenerCounts } from './output/listenerCounts.ts'
import { RadioUnavailable, STATION_ID } from './types.ts'

/** An AzuraCast sends what it plays and the last songs. */
const MAX_WEBHOOK_BYTES = 64 * 1024

export const AZURACAST_WEBHOOK_PATH = '/api/radio/webhooks/azuracast'

export const radioRouter = router({
  stations: documented(
    guestProcedure.query(({ ctx }) => ctx.radio.stations()),
    {
      path: '/api/radio/stations',
      summary: 'Lists the stations',
      answer: z.object({ stations: z.array(stationSchema), available: z.boolean() }),
    },
  ),
  nowPlaying: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.nowPlaying(input.stationId)),
    {
      path: '/api/radio/nowplaying/:stationId',
      summary: 'Reads what a station plays',
      answer: z.object({ nowPlaying: nowPlayingSchema }),
    },
  ),
  listenerCounts: documented(
    memberProcedure()
      .input(listenerCountsInput)
      .query(({ ctx, input }) => readListenerCounts(ctx, input, ctx.user)),
    {
      path: '/api/radio/listeners',
      summary: 'Counts the listeners of a station that are connected to this site; for streamers and admins',
      statuses: { 404: 'There is no such station' },
      answer: z.object({ listeners: listenerCountsSchema }),
    },
  ),
  azuracastCall: documented(
    guestProcedure.input(azuracastCall).mutation(({ ctx, input }) => receiveAzuracastCall(ctx, input)),
    {
      path: AZURACAST_WEBHOOK_PATH,
      summary: 'Tells the site that an AzuraCast plays something else',
      answer: z.object({}),
      headers: { authorization: 'authorization' },
      // AzuraCast's form has only a URL for the token and the station.
      queryFields: ['token', 'station'],
      bodyBytes: MAX_WEBHOOK_BYTES,
      statuses: {
        401: 'The token is missing or wrong',
        404: '`AZURACAST_WEBHOOK_TOKEN` is not set, or the station does not exist',
      },
    },
  ),
})

/**
 * Reads what a station plays, because an AzuraCast reports a change. Uses nothing else of the call, because anyone who
 * learns the token could send it.
 * @throws AppError 404 without AZURACAST_WEBHOOK_TOKEN or for an unknown station, 401 for a wrong token
 */
async function receiveAzuracastCall(ctx: Context, input: z.output<typeof azuracastCall>): Promise<void> {
  const { config, radio, serviceBroadcasts } = ctx
  if (config.azuracastToken === null) throw errors.notFound(refusal('failure.notFound'))
  const given = input.token ?? readAuthorization(input.authorization)
  // Compares hashes: the time does not depend on the token.
  if (!verifyToken(given, hashToken(config.azuracastToken, 'utf8'), 'utf8')) {
    throw errors.unauthorized(refusal('radio.webhookToken'))
  }
  try {
    await radio.refreshNowPlaying(input.station ?? STATION_ID, () => serviceBroadcasts.wake())
  } catch (error) {
    // The poll notices when the service is back.
    if (!(error instanceof RadioUnavailable)) throw error
  }
}

/** Accepts a bearer token, and a password of any user, which AzuraCast's form offers. */
const readAuthorization = (header = ''): string | undefined =>
  readPassword(header) ?? /^bearer +(\S+)$/i.exec(header)?.[1]
