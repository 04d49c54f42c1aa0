import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { findThreadPlace, insertSiteComment, unpin } from '#server/features/board/write/sitePosts.ts'
import { activeSwitches } from '#server/features/moderation/admission/activeSwitches.ts'
import { closingText, MAX_LISTED_TRACKS } from '#server/features/show/announcements/threadTexts.ts'
import {
  type AnnouncedBroadcast,
  findRecording,
  lockBroadcast,
  type RecordingPaths,
  readBroadcast,
  toWebhookBody,
} from './readBroadcast.ts'

/** After this time, the end is announced without a recording: there may be none. */
const RECORDING_WAIT_MS = 2 * 60_000

/**
 * Unpins the thread of a broadcast that has ended. As soon as the recording is in the archive, adds the comment with its
 * link and the tracklist, and calls the webhook, once: the transaction also marks the broadcast.
 */
export async function announceEnd(services: Services, broadcastId: number): Promise<void> {
  const ended = await readBroadcast(services, broadcastId)
  if (!ended || !isDue(ended)) return
  const recording = await findRecording(services, ended)
  const isWaiting = recording === null && services.now().getTime() - ended.endedAt.getTime() < RECORDING_WAIT_MS
  const isReadOnly = (await activeSwitches(services)).has('read-only')
  await writeAndPublish(services, async (tx) => {
    // Another process may have announced it, or the streamer may be back.
    const found = await lockBroadcast(tx, broadcastId)
    if (!found || !isDue(found)) return
    const place = found.threadId === null ? null : await findThreadPlace({ db: tx }, found.threadId)
    if (found.threadId !== null) await unpin(services, tx, found.threadId, place)
    if (isWaiting) return
    if (place && !isReadOnly) await addComment(services, tx, place, found, recording)
    const body = toWebhookBody(services, 'broadcast.ended', found, { place, recording })
    await queueWebhooks(tx, services, 'radio', [body])
    await tx.update(broadcast).set({ endAnnouncedAt: services.now() }).where(eq(broadcast.id, broadcastId))
  })
}

type EndedBroadcast = AnnouncedBroadcast & { endedAt: Date }

const isDue = (found: AnnouncedBroadcast): found is EndedBroadcast =>
  found.startAnnouncedAt !== null && found.endedAt !== null && found.endAnnouncedAt === null

async function addComment(
  services: Services,
  tx: Transaction,
  place: { boardId: string; threadId: number },
  { id, streamer, startedAt, endedAt }: EndedBroadcast,
  recording: RecordingPaths | null,
): Promise<void> {
  const { siteUrl } = services.config
  const isOwn = eq(broadcastTrack.broadcastId, id)
  const tracks = await tx
    .select({ seconds: broadcastTrack.seconds, artist: broadcastTrack.artist, title: broadcastTrack.title })
    .from(broadcastTrack)
    .where(isOwn)
    .orderBy(asc(broadcastTrack.seconds), asc(broadcastTrack.id))
    .limit(MAX_LISTED_TRACKS)
  const trackCount = await tx.$count(broadcastTrack, isOwn)
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000
  const page = recording && `${siteUrl}${recording.page}`
  const content = closingText({ streamer, seconds, recording: page }, tracks, trackCount)
  // Pages show a card for the link to the file.
  const links = recording ? [`${siteUrl}${recording.file}`] : []
  await insertSiteComment(services, tx, place, { author: streamer, content, links })
}
