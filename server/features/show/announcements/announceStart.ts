import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { findThreadPlace, insertSiteThread, pinIfRoom } from '#server/features/board/write/sitePosts.ts'
import { activeSwitches } from '#server/features/moderation/admission/activeSwitches.ts'
import { openingText, threadTitle } from '#server/features/show/announcements/threadTexts.ts'
import { boardLimits } from '#src/contract/board.ts'
import { type AnnouncedBroadcast, lockBroadcast, toWebhookBody } from './readBroadcast.ts'

/** Opens the thread of a broadcast and calls the webhook, once: the transaction also marks the broadcast. */
export async function announceStart(services: Services, broadcastId: number): Promise<void> {
  const { config, now } = services
  const isReadOnly = (await activeSwitches(services)).has('read-only')
  await writeAndPublish(services, async (tx) => {
    const found = await lockBroadcast(tx, broadcastId)
    if (!found || found.startAnnouncedAt) return
    const boardId = isReadOnly ? null : config.showBoard
    const threadId = found.threadId ?? (boardId === null ? null : await openThread(services, tx, boardId, found))
    await tx.update(broadcast).set({ threadId, startAnnouncedAt: now() }).where(eq(broadcast.id, broadcastId))
    if (threadId !== null) await publish(tx, now(), [{ topic: 'shows', change: { kind: 'broadcast', broadcastId } }])
    const place = threadId === null ? null : await findThreadPlace({ db: tx }, threadId)
    const body = toWebhookBody(services, 'broadcast.started', found, { place, recording: null })
    await queueWebhooks(tx, services, 'radio', [body])
  })
}

/** @returns the id of the thread, or null if the board does not exist */
async function openThread(
  services: Services,
  tx: Transaction,
  boardId: string,
  found: AnnouncedBroadcast,
): Promise<number | null> {
  const { config, log } = services
  const title = [...threadTitle(found)].slice(0, boardLimits.title).join('')
  const content = openingText(found, found.description ?? '', config.siteUrl)
  const post = { author: found.streamer, content, links: [] }
  const threadId = await insertSiteThread(services, tx, boardId, title, post)
  if (threadId === null)
    log.warn({ board: boardId }, 'Cannot open the thread of a broadcast: SHOW_BOARD does not exist')
  else await pinIfRoom(tx, { boardId, threadId })
  return threadId
}
