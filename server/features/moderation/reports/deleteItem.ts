import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { imageShare, paste, program, type StoredImage } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { type LogRecord, moderatorActor, writeLog } from '#server/features/moderation/log/writeLog.ts'
import { publishProgramsChange } from '#server/features/program/service.ts'
import { describeItem, type Item } from './items.ts'

/** Deletes an item; a post can be restored from the log. Ignores items that are gone already. */
export async function deleteItem(ctx: Context, item: Item, user: SessionUser, reason = ''): Promise<void> {
  const record: LogRecord = { action: 'delete', actor: moderatorActor(user), reason, ...describeItem(item) }
  const files = await writeAndPublish(ctx, async (tx) => {
    if (item.kind === 'post') {
      await changeState(ctx, tx, [Number(item.itemId)], 'removed', { record })
      return []
    }
    const removed = await deleteRow(tx, item)
    // Several moderators may act at once: only one of them deletes the row.
    if (removed.length > 0) await writeLog(tx, ctx.now(), record)
    if (item.kind === 'program') await publishProgramsChange(tx, ctx.now())
    return removed.flatMap(({ image }) => imageFiles(image))
  })
  // The row is gone, so the moderator cannot try again.
  await retryLater(ctx.log, () => ctx.files.remove(files))
}

/** Deletes a paste, shared image or program. @returns the deleted row with its image, or an empty list */
async function deleteRow(tx: Transaction, { kind, itemId }: Item): Promise<{ image: StoredImage | null }[]> {
  if (kind === 'image') return tx.delete(imageShare).where(eq(imageShare.id, itemId)).returning()
  const removed =
    kind === 'paste'
      ? await tx
          .delete(paste)
          .where(eq(paste.lookup, Buffer.from(itemId, 'hex')))
          .returning({ flags: paste.flags })
      : await tx
          .delete(program)
          .where(eq(program.id, Number(itemId)))
          .returning({ id: program.id })
  return removed.map(() => ({ image: null }))
}
