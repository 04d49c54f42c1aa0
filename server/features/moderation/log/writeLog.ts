import type { Transaction } from '#db/client.server.ts'
import { moderationLog } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import type { LogRole, ModerationAction } from '#src/contract/log.ts'

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
  const [entry] = await tx
    .insert(moderationLog)
    .values({ ...record, at: now, role, actorId: userId })
    .returning({ id: moderationLog.id })
  if (!entry) throw new Error('The log entry was not inserted')
  await publish(tx, now, [{ topic: 'log', change: { kind: 'log' } }])
  return entry.id
}
