import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { ban } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { verifyAppealToken } from '#server/features/moderation/admission/rejectBanned.ts'
import { publishQueueChange } from '#server/features/moderation/queue/queueEvents.ts'
import type { appealAnswer, appealForm } from '#src/contract/bans.ts'
import { refusal } from '#src/contract/refusal.ts'
import { endBan, publishBansChange, rejectForeignBan } from './bans.ts'

/**
 * Stores the only appeal of a ban.
 * @throws AppError 404 for a wrong token, 409 if the ban was appealed before or has ended
 */
export async function appealBan(ctx: Context, { appealToken, text }: z.output<typeof appealForm>): Promise<void> {
  const banId = verifyAppealToken(ctx.secrets.appeals, appealToken)
  if (banId === null) throw errors.notFound(refusal('moderation.banAppealToken'))
  await writeAndPublish(ctx, async (tx) => {
    const stored = await tx
      .update(ban)
      .set({ appeal: text, appealedAt: ctx.now() })
      .where(and(eq(ban.id, banId), isNull(ban.appealedAt), gt(ban.endsAt, ctx.now())))
      .returning({ id: ban.id })
    if (stored.length === 0) throw errors.conflict(refusal('moderation.banAlreadyAppealed'))
    await publishBansChange(tx, ctx.now())
  })
  ctx.moderation.bans.invalidate()
}

/**
 * Lifts or keeps an appealed ban.
 * @throws AppError 404 for an unknown or ended ban, 403 for users who may not change it, 409 without an open appeal
 */
export async function answerAppeal(
  ctx: Context,
  { banId, outcome }: z.output<typeof appealAnswer>,
  user: SessionUser,
): Promise<void> {
  await rejectForeignBan(ctx, banId, user)
  await writeAndPublish(ctx, async (tx) => {
    const answered = await tx
      .update(ban)
      .set({ answeredAt: ctx.now() })
      .where(and(eq(ban.id, banId), isNotNull(ban.appealedAt), isNull(ban.answeredAt)))
      .returning({ id: ban.id })
    if (answered.length === 0) throw errors.conflict(refusal('moderation.banNoAppeal'))
    if (outcome === 'lift') await endBan(ctx, tx, banId, user)
    else await publishQueueChange(tx, ctx.now())
  })
  ctx.moderation.bans.invalidate()
}
