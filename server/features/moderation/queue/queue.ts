import { inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { ban, post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { readReportedItem } from '#server/features/moderation/reports/reportedItem.ts'
import { readBans } from '#server/features/moderation/rules/banList.ts'
import type { Queue, QueueItem, QueueKind } from '#src/contract/queue.ts'
import type { queueInput } from '#src/contract/queueForms.ts'
import { readHeldPosts } from './heldPostList.ts'
import { readPosterPosts } from './posterPosts.ts'
import { countQueue, listQueue } from './queueOrder.ts'

/**
 * Returns what waits for a moderator, with its context.
 * @param boards ids of the boards that the moderator moderates; null means all
 */
export async function readQueue(
  ctx: Context,
  input: z.output<typeof queueInput>,
  boards: string[] | null,
): Promise<Queue> {
  const [rows, counts] = await Promise.all([listQueue(ctx, boards, input), countQueue(ctx, boards)])
  const idsOf = (kind: QueueKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const [heldPosts, bans] = await Promise.all([
    readHeldPosts(ctx, boards, inArray(post.id, idsOf('held'))),
    readBans(ctx, inArray(ban.id, idsOf('appeal'))),
  ])
  const items: QueueItem[] = []
  for (const { kind, id, since, cursor } of rows) {
    // Skips items that another moderator has just decided.
    if (kind === 'report') {
      // One after the other: each may decrypt a paste of a megabyte.
      const report = await readReportedItem(ctx, id)
      if (report) items.push({ kind, cursor, since, report })
    } else if (kind === 'held') {
      const held = heldPosts.find((one) => one.id === id)
      if (held) items.push({ kind, cursor, since, post: held })
    } else {
      const appealed = bans.find(({ view }) => view.id === id)
      if (appealed) {
        items.push({ kind, cursor, since, ban: appealed.view, posts: await readPosterPosts(ctx, appealed) })
      }
    }
  }
  return { items, counts }
}
