import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { moderationLog } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { publish, withLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { type LogEntryView, type LogRole, logInput, logPageSchema, type ModerationAction } from '#src/contract/log.ts'
import { moderationLimits } from '#src/contract/moderation.ts'

/** The user, author or site that acts. Only the role is public. */
export type LogActor = { role: LogRole; userId: string | null }

export type LogRecord = {
  action: ModerationAction
  actor: LogActor
  /** null for the whole site */
  boardId: string | null
  threadId?: number
  itemId?: string
  count?: number
  reason?: string
}

export const authorActor: LogActor = { role: 'author', userId: null }
export const siteActor: LogActor = { role: 'site', userId: null }
/** Call it only after checking that the user may moderate. */
export const moderatorActor = ({ id, role }: Pick<SessionUser, 'id' | 'role'>): LogActor => ({
  role: role === 'admin' ? 'admin' : 'moderator',
  userId: id,
})

/** Writes a log entry in the transaction of the action. @returns the entry's id */
export async function writeLog(
  tx: Transaction,
  now: Date,
  { actor: { role, userId }, ...record }: LogRecord,
): Promise<number> {
  const row = { ...record, at: now, role, actorId: userId }
  const [entry] = await tx.insert(moderationLog).values(row).returning({ id: moderationLog.id })
  if (!entry) throw new Error('The log entry was not inserted')
  await publish(tx, now, [{ topic: 'log', change: { kind: 'log' } }])
  return entry.id
}

/** Uses raw SQL, because Drizzle omits the table in `moderation_log.id`. */
const canRestore = sql<boolean>`exists (select from post p
  where p.log_id = "moderation_log"."id" and p.state = 'removed' and "moderation_log"."role" <> 'author')`

/** null if no thread has left the entry's board: most entries need no look at their posts. */
const restoreBoards = sql<string[] | null>`case when exists (
    select from moved_thread m where m.board_id = "moderation_log"."board_id") then (
  select json_agg(distinct t.board_id) from post p join thread t on t.id = p.thread_id
    where p.log_id = "moderation_log"."id" and p.state = 'removed') end`

const isThread = sql<boolean>`coalesce(${moderationLog.itemId} = ${moderationLog.threadId}::text, false)`

/** Lists entries of the public log, newest first. Selects neither actors nor items. */
export const log = documented(
  guestProcedure.input(logInput).query(({ ctx, input: { boardId, before } }) =>
    withLastEventId(ctx, async () => {
      const size = moderationLimits.logEntriesPerPage
      const { id, at, action, role, reason, count, undoneAt } = moderationLog
      const isOnBoard = boardId === undefined ? undefined : eq(moderationLog.boardId, boardId)
      const rows = await ctx.db
        .select({
          ...{ id, at, action, role, boardId: moderationLog.boardId, reason, count, isThread, undoneAt },
          ...{ canRestore, restoreBoards },
        })
        .from(moderationLog)
        .where(and(isOnBoard, before === undefined ? undefined : lt(id, before)))
        .orderBy(desc(moderationLog.id))
        .limit(size + 1)
      const entries = rows.slice(0, size).map(
        ({ undoneAt, restoreBoards, ...entry }): LogEntryView => ({
          ...{ ...entry, isUndone: undoneAt !== null },
          ...(entry.canRestore && restoreBoards && { restoreBoards }),
        }),
      )
      return { entries, nextBefore: rows.length > size ? (entries.at(-1)?.id ?? null) : null }
    }),
  ),
  { path: '/api/moderation/log', summary: 'Lists 50 entries of the public log, newest first', answer: logPageSchema },
)
