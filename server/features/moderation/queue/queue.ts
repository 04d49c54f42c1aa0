import { type Column, inArray, type SQL, sql } from 'drizzle-orm'
import { ban, post, report, thread } from '#db/schema/index.ts'
import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import type { Context } from '#server/core/context.ts'
import { withLastEventId } from '#server/core/events/writeAndPublish.ts'
import { memberProcedure, moderatorProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { readReportedItem } from '#server/features/moderation/reports/reportedContent.ts'
import { readBans } from '#server/features/moderation/rules/bans.ts'
import {
  QUEUE_ITEMS_PER_CALL,
  type Queue,
  type QueueItem,
  type QueueKind,
  queueInput,
  queueSchema,
  type Waiting,
} from '#src/contract/queue.ts'
import { readHeldPosts } from './heldPostList.ts'
import { readPosterPosts } from './postSurroundings.ts'
import { queueTopic } from './queueEvents.ts'

/** Returns what waits for a moderator, with its context. */
export const queue = documented(
  moderatorProcedure.input(queueInput).query(({ ctx, input }) =>
    ctx.readLarge(() =>
      withLastEventId(ctx, async () => {
        const [rows, counts] = await Promise.all([listQueue(ctx, ctx.boards, input), countQueue(ctx, ctx.boards)])
        const idsOf = (kind: QueueKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
        const [heldPosts, bans] = await Promise.all([
          readHeldPosts(ctx, ctx.boards, { condition: inArray(post.id, idsOf('held')) }),
          readBans(ctx, inArray(ban.id, idsOf('appeal'))),
        ])
        const items: QueueItem[] = []
        for (const { kind, id, since, cursor } of rows) {
          // Skips items that another moderator has just decided.
          if (kind === 'report') {
            // One after the other: each may decrypt a paste of a megabyte.
            const reported = await readReportedItem(ctx, id)
            if (reported) items.push({ kind, cursor, since, report: reported })
          } else if (kind === 'held') {
            const held = heldPosts.find((one) => one.id === id)
            if (held) items.push({ kind, cursor, since, post: held })
          } else {
            const appealed = bans.find(({ view }) => view.id === id)
            const posts = appealed && (await readPosterPosts(ctx, appealed))
            if (posts) items.push({ kind, cursor, since, ban: appealed.view, posts })
          }
        }
        return { items, counts }
      }),
    ),
  ),
  {
    path: '/api/moderation/queue',
    summary: 'Lists the first 10 reported items, held posts and appeals; with `after`, those after this cursor',
    answer: queueSchema,
  },
)

/** Counts what waits for a user. Answers null to a member who moderates no board. */
export const waiting = memberProcedure().query(async ({ ctx }): Promise<Waiting | null> => {
  const boards = await listModeratedBoards(ctx, ctx.user)
  if (boards?.length === 0) return null
  return withLastEventId(ctx, async () => {
    const counts = await countQueue(ctx, boards)
    return { count: counts.report + counts.held + counts.appeal, topic: queueTopic(ctx) }
  })
})

type Reader = Pick<Context, 'db' | 'now'>

/** An item that waits. `id` is the oldest open report of an item, a held post, or an appealed ban. */
type QueueRow = { kind: QueueKind; id: number; since: Date; cursor: string }

/**
 * Lists what waits: reports of illegal content first, then the oldest; held posts that are published by themselves last.
 * @param after a valid cursor
 */
async function listQueue(
  ctx: Reader,
  boards: string[] | null,
  { kind, after }: { kind?: QueueKind | undefined; after?: string | undefined },
): Promise<QueueRow[]> {
  const rows = await ctx.db.execute<{ kind: QueueKind; id: string; urgency: number; since: string }>(sql`
    select kind, id, urgency, (extract(epoch from since) * 1000)::bigint as since from (${waitingItems(ctx, boards)}) waiting
    where ${kind ? sql`kind = ${kind}` : sql`true`} and ${after === undefined ? sql`true` : isAfter(after)}
    order by urgency, waiting.since, kind, id limit ${QUEUE_ITEMS_PER_CALL}`)
  return rows.map(({ kind, id, urgency, since }) => ({
    kind,
    id: Number(id),
    since: new Date(Number(since)),
    cursor: [urgency, since, kind, id].join('.'),
  }))
}

function isAfter(cursor: string): SQL {
  const [urgency, since, kind, id] = cursor.split('.')
  return sql`(urgency, (extract(epoch from since) * 1000)::bigint, kind, id) >
    (${urgency}::int, ${since}::bigint, ${kind}, ${id}::bigint)`
}

/** Counts what waits, by kind. */
async function countQueue(ctx: Reader, boards: string[] | null): Promise<Queue['counts']> {
  const rows = await ctx.db.execute<{ kind: QueueKind; items: number }>(
    sql`select kind, count(*)::int as items from (${waitingItems(ctx, boards)}) waiting group by kind`,
  )
  const found = Object.fromEntries(rows.map(({ kind, items }) => [kind, items]))
  return { report: 0, held: 0, appeal: 0, ...found }
}

function waitingItems({ now }: Reader, boards: string[] | null): SQL {
  const isOn = (board: Column) => (boards ? sql`${board} = any(string_to_array(${boards.join()}, ','))` : sql`true`)
  return sql`
    select 'report' as kind, min(${report.id}) as id, min(${report.createdAt}) as since,
      case when bool_or(${report.reason} = 'illegal') then 0 else 1 end as urgency
    from ${report} where ${report.closedAt} is null and ${isOn(report.boardId)} group by ${report.kind}, ${report.itemId}
    union all
    select 'held', ${post.id}, ${post.createdAt}, case when ${post.releaseAt} is null then 1 else 2 end
    from ${post} join ${thread} on ${thread.id} = ${post.threadId} where ${post.state} = 'held' and ${isOn(thread.boardId)}
    union all
    select 'appeal', ${ban.id}, ${ban.appealedAt}, 1 from ${ban}
    where ${ban.appealedAt} is not null and ${ban.answeredAt} is null
      and ${ban.endsAt} > ${now().toISOString()}::timestamptz and ${isOn(ban.boardId)}`
}
