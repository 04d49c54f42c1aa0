import { z } from 'zod'
import type { Config } from '#server/core/config/config.ts'
import { adminProcedure, guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { sourcePath, TEST_MOUNT } from '#src/contract/liveSources.ts'
import {
  newStreamer,
  ownStreamerSchema,
  SOURCE_USER,
  type SourceConnection,
  sourceConnectionSchema,
  streamerChange,
  streamerRef,
  streamerSchema,
  streamPasswordSchema,
} from '#src/contract/streamer.ts'
import {
  allowStreamer,
  changeStreamer,
  findOwnStreamer,
  listStreamers,
  removeStreamer,
  renewOwnStreamPassword,
  renewStreamPassword,
} from './service.ts'

const STREAMERS = '/api/streamers'

const STREAMER = `${STREAMERS}/:email` as const

const NO_STREAMER = { 404: 'The user does not exist, or may not stream' }

const NAME_TAKEN = 'The name is taken or reserved'

/** Returns where sources connect, or null if the site plays an AzuraCast, which has its own streamers. */
export function sourceConnection({ liveUrl, radio }: Pick<Config, 'liveUrl' | 'radio'>): SourceConnection | null {
  if (radio.service) return null
  const { protocol, hostname, port } = new URL(liveUrl)
  const isSecure = protocol === 'https:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (isSecure ? 443 : 80)),
    isSecure,
    mount: sourcePath(STATION_ID),
    testMount: TEST_MOUNT,
    user: SOURCE_USER,
  }
}

export const streamerRouter = router({
  connection: documented(
    guestProcedure.query(({ ctx }) => sourceConnection(ctx.config)),
    {
      path: '/api/streamer/connection',
      summary: 'Reads where sources of streamers connect; null if the radio of the site is an AzuraCast',
      answer: z.object({ connection: sourceConnectionSchema.nullable() }),
    },
  ),
  /** the account of the logged-in user; null if the user may not stream */
  own: documented(
    memberProcedure().query(({ ctx }) => findOwnStreamer(ctx.db, ctx.user.id)),
    {
      path: '/api/streamer',
      summary: 'Reads the own streaming account; null if the user may not stream',
      answer: z.object({ streamer: ownStreamerSchema.nullable() }),
    },
  ),
  renewOwnPassword: documented(
    memberProcedure().mutation(({ ctx }) => renewOwnStreamPassword(ctx, ctx.user)),
    {
      path: '/api/streamer/password',
      summary: 'Replaces the own streaming password, and disconnects the own sources',
      answer: streamPasswordSchema,
    },
  ),
  list: documented(
    adminProcedure.query(({ ctx }) => listStreamers(ctx)),
    {
      path: STREAMERS,
      summary: 'Lists the users who may stream to the built-in station',
      answer: z.object({ streamers: z.array(streamerSchema) }),
    },
  ),
  allow: documented(
    adminProcedure.input(newStreamer).mutation(({ ctx, input }) => allowStreamer(ctx, input)),
    {
      path: STREAMERS,
      summary: 'Lets a user stream, and answers with the streaming password',
      answer: streamPasswordSchema,
      statuses: { 404: 'The user does not exist', 409: `The user may stream already. ${NAME_TAKEN}` },
    },
  ),
  change: documented(
    adminProcedure.input(streamerChange).mutation(({ ctx, input }) => changeStreamer(ctx, input)),
    {
      method: 'PUT',
      path: STREAMER,
      summary: 'Renames, disables or enables a streamer. Disabling disconnects the sources.',
      answer: z.object({ streamer: streamerSchema }),
      statuses: { ...NO_STREAMER, 409: NAME_TAKEN },
    },
  ),
  renewPassword: documented(
    adminProcedure.input(streamerRef).mutation(({ ctx, input }) => renewStreamPassword(ctx, input.email)),
    {
      path: `${STREAMER}/password`,
      summary: 'Replaces a streaming password, and disconnects the sources',
      answer: streamPasswordSchema,
      statuses: NO_STREAMER,
    },
  ),
  remove: documented(
    adminProcedure.input(streamerRef).mutation(({ ctx, input }) => removeStreamer(ctx, input.email)),
    {
      method: 'DELETE',
      path: STREAMER,
      summary: 'Removes a streaming account with its shows. The user stays.',
      statuses: NO_STREAMER,
    },
  ),
})
