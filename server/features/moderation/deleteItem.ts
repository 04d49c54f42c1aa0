import { eq } from 'drizzle-orm'
import { imageShare, paste, program } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { type LogRecord, moderatorActor, writeLog } from '#server/core/moderation/log.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { removePosts } from '#server/features/board/removal.ts'
import { publishProgramsChange } from '#server/features/program/service.ts'
import { describeItem, type Item } from './items.ts'

/** Deletes an item; a post can be restored from the log. Ignores items that are gone already. */
export async function deleteItem(ctx: Context, item: Item, user: SessionUser, reason = ''): Promise<void> {
  const record: LogRecord = { action: 'delete', actor: moderatorActor(user), reason, ...describeItem(item) }
  const { kind, itemId } = item
  const files = await writeAndPublish(ctx, async (tx) => {
    if (kind === 'post') {
      await removePosts(ctx, tx, [Number(itemId)], record)
      return []
    }
    await writeLog(tx, ctx.now(), record)
    if (kind === 'image') {
      const removed = await tx.delete(imageShare).where(eq(imageShare.id, itemId)).returning()
      return removed.flatMap(({ image }) => imageFiles(image))
    }
    if (kind === 'paste') await tx.delete(paste).where(eq(paste.lookup, Buffer.from(itemId, 'hex')))
    else {
      await tx.delete(program).where(eq(program.id, Number(itemId)))
      await publishProgramsChange(tx, ctx.now())
    }
    return []
  })
  await ctx.files.remove(files)
}
