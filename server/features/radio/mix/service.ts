import { eq } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import type { ConnectedSourceView, LiveView, RefusedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'

type HostContext = Pick<Services, 'liveHost'>
type Member = Pick<SessionUser, 'id' | 'role'>

/** Returns all connected sources for admins, and their own for members. */
export async function listSources({ liveHost }: HostContext, user: Member): Promise<ConnectedSourceView[]> {
  const sources = await liveHost.call('sources')
  return sources.filter(({ streamer }) => user.role === 'admin' || streamer.userId === user.id)
}

/** Returns the programs of the member's network that sent a wrong password, or those of all networks for admins. */
export async function listRefusedSources(
  { liveHost, address }: Pick<Context, 'liveHost' | 'address'>,
  { role }: Member,
): Promise<RefusedSourceView[]> {
  const refused = await liveHost.call('refused')
  const own = visitorNetwork(address)
  return refused
    .filter(({ network }) => role === 'admin' || network === own)
    .map(({ client, attempts, lastAt }) => ({ client, attempts, lastAt }))
}

/** @throws AppError 404, also for other streamers' sources */
export async function disconnectSource(ctx: HostContext, user: Member, id: string): Promise<void> {
  const sources = await listSources(ctx, user)
  if (!sources.some((source) => source.id === id)) throw errors.notFound(refusal('streamer.sourceNotFound'))
  await ctx.liveHost.call('disconnect', id)
}

/** Returns who is on air, or null. @throws AppError 404 */
export async function readLive(
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
