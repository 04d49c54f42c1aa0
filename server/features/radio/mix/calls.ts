import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { broadcast } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import { adminProcedure, guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  type ConnectedSourceView,
  connectedSourceSchema,
  type LiveView,
  liveSchema,
  type RefusedSourceView,
  refusedSourceSchema,
  sourceParams,
} from '#src/contract/liveSources.ts'
import { stationParams } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'

type HostContext = Pick<Services, 'liveHost'>
type Member = Pick<SessionUser, 'id' | 'role'>

/** Returns all connected sources for admins, and their own for members. */
async function listSources({ liveHost }: HostContext, user: Member): Promise<ConnectedSourceView[]> {
  const sources = await liveHost.call('sources')
  return sources.filter(({ streamer }) => user.role === 'admin' || streamer.userId === user.id)
}

/** Returns the refused programs of the member and their network, or all of them for admins. */
async function listRefusedSources(
  { liveHost, address }: Pick<Context, 'liveHost' | 'address'>,
  { id, role }: Member,
): Promise<RefusedSourceView[]> {
  const own = visitorNetwork(address)
  // Admins see the same program of several networks once.
  const programs = new Map<string, RefusedSourceView>()
  for (const { owner, ...one } of await liveHost.call('refused')) {
    if (role !== 'admin' && owner !== own && owner !== id) continue
    const key = `${one.reason} ${one.client}`
    const known = programs.get(key)
    programs.set(key, known ? { ...known, attempts: known.attempts + one.attempts } : one)
  }
  return [...programs.values()]
}

/** @throws AppError 404, also for other streamers' sources */
async function disconnectSource(ctx: HostContext, user: Member, id: string): Promise<void> {
  const sources = await listSources(ctx, user)
  if (!sources.some((source) => source.id === id)) throw errors.notFound(refusal('streamer.sourceNotFound'))
  await ctx.liveHost.call('disconnect', id)
}

/** Returns who is on air, or null. @throws AppError 404 */
async function readLive(
  { live, db, radio }: Pick<Services, 'live' | 'db' | 'radio'>,
  stationId: number,
): Promise<LiveView | null> {
  await radio.assertStation(stationId)
  const onAir = live.onAir(stationId)
  if (!onAir) return null
  const { broadcastId, streamer, showId, title, startedAt } = onAir
  const [row] = await db.select({ threadId: broadcast.threadId }).from(broadcast).where(eq(broadcast.id, broadcastId))
  return { broadcastId, streamer: streamer.name, showId, title, startedAt, threadId: row?.threadId ?? null }
}

const SOURCES = '/api/radio/sources'

export const liveRouter = router({
  onAir: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => readLive(ctx, input.stationId)),
    {
      path: '/api/radio/live/:stationId',
      summary: 'Reads who is on air',
      answer: z.object({ live: liveSchema.nullable() }),
    },
  ),
  sources: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired')).query(({ ctx }) => listSources(ctx, ctx.user)),
    {
      path: SOURCES,
      summary: 'Lists the connected live sources: all for admins, their own for streamers',
      answer: z.object({ sources: z.array(connectedSourceSchema) }),
    },
  ),
  refused: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired')).query(({ ctx }) => listRefusedSources(ctx, ctx.user)),
    {
      path: `${SOURCES}/refused`,
      summary:
        'Lists programs with a wrong streaming password or unplayable sound: of their network and account, all for admins',
      answer: z.object({ refused: z.array(refusedSourceSchema) }),
    },
  ),
  takeOver: documented(
    adminProcedure.input(sourceParams).mutation(({ ctx, input }) => ctx.liveHost.call('takeOver', input.id)),
    {
      path: `${SOURCES}/:id/takeover`,
      summary: 'Puts a live source on air at once',
      statuses: { 409: 'The source uses the mount of the level test' },
    },
  ),
  disconnect: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired'))
      .input(sourceParams)
      .mutation(({ ctx, input }) => disconnectSource(ctx, ctx.user, input.id)),
    {
      method: 'DELETE',
      path: `${SOURCES}/:id`,
      summary: 'Disconnects a live source: any for admins, their own for streamers',
    },
  ),
})
