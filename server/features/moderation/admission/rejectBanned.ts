import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { formatUtc } from '#server/core/formatUtc.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createAppealToken } from './appealToken.ts'
import { findBan } from './liveBans.ts'

/** @throws AppError 403 with the ban's reason and end, and a token for an appeal if nobody has appealed yet */
export async function rejectBanned(ctx: Context, boardId: string | null): Promise<void> {
  const found = findBan(await ctx.moderation.bans.get(), ctx.address, boardId, ctx.now())
  if (!found) return
  const { id, reason, endsAt, isAppealed } = found
  const appealToken = isAppealed ? null : createAppealToken(ctx.secrets.appeals, id)
  throw errors.forbidden(refusal('moderation.banned', { date: formatUtc(endsAt), reason }), {
    ban: { reason, endsAt, appealToken },
  })
}
