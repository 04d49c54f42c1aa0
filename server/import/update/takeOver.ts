import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { livePost, missingImage, post, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { publishQuoteChanges } from '#server/features/board/quotes.ts'
import { changedNow } from '#server/features/board/read/queries.ts'
import { unlink } from '#server/features/board/states/changeState.ts'
import { changePost } from '#server/features/board/write/postChanges.ts'
import { calculateCost } from '#server/features/board/write/threadLimits.ts'
import type { PostText } from '#server/import/text/postText.ts'
import type { ImportedPost } from '#server/import/types.ts'
import { insertQuotes, recordset } from '#server/import/write/insertRows.ts'
import type { Target } from '#server/import/write/ranges.ts'
import type { PostChange } from './sourceChanges.ts'

/** Changes posts here as the source has changed them. @param sources the posts in the source, by number */
export async function takeOver(
  ctx: Context,
  target: Target,
  changes: PostChange[],
  sources: ReadonlyMap<number, ImportedPost>,
): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    for (const change of changes) {
      const { id, threadId, text, deletedImages, flags } = change
      // The thread may have moved.
      const [board] = await tx.select({ id: thread.boardId }).from(thread).where(eq(thread.id, threadId)).for('update')
      if (!board) continue
      const place = { id, threadId, archivedAt: null, board }
      if (deletedImages.length > 0) await changePost(ctx, tx, place, 'delete-image', deletedImages)
      if (change.isGuess) await tryAgain(tx, target.name, sources.get(change.number))
      for (const flag of flags) await changePost(ctx, tx, place, flag)
      if (text) await changeText(ctx, tx, { id, threadId, boardId: board.id }, text)
    }
  })
  await ctx.files.remove(changes.flatMap(({ deletedImages }) => deletedImages.flatMap(imageFiles)))
}

/** Lets this run store the images again that the source still has. */
async function tryAgain(tx: Transaction, source: string, found: ImportedPost | undefined): Promise<void> {
  const rows = found?.images.map(({ name }) => ({ number: found.number, name })) ?? []
  await tx.execute(sql`insert into ${missingImage} (source, number, name)
    select ${source}, number, name from ${recordset(rows, 'number bigint, name text')} on conflict do nothing`)
}

async function changeText(
  { now }: Context,
  tx: Transaction,
  { id, threadId, boardId }: Pick<PostChange, 'id' | 'threadId'> & { boardId: string },
  { title, content, quotes }: PostText,
): Promise<void> {
  const { author, links } = livePost
  const [before] = await tx
    .select({ author, links, content: livePost.content })
    .from(livePost)
    .where(eq(livePost.id, id))
  if (!before) return
  const [old, changed] = [calculateCost(before), calculateCost({ ...before, content })]
  await tx.update(post).set({ content }).where(eq(post.id, id))
  await tx
    .update(thread)
    .set({
      ...(id === threadId && { title }),
      changedAt: changedNow(now()),
      byteCount: sql`greatest(0, ${thread.byteCount} + ${changed.bytes - old.bytes}::bigint)`,
      nodeCount: sql`greatest(0, ${thread.nodeCount} + ${changed.nodes - old.nodes}::bigint)`,
    })
    .where(eq(thread.id, threadId))
  const unquoted = await unlink(tx, [{ id }])
  await insertQuotes(
    tx,
    now(),
    [],
    quotes.map((quoted) => ({ from_id: id, to_id: quoted })),
  )
  await tx.execute(sql`select index_posts(array[${id}::bigint])`)
  await publishQuoteChanges(
    tx,
    now(),
    unquoted.filter((other) => !quotes.includes(other)),
  )
  await publish(tx, now(), [
    { topic: `thread:${threadId}`, change: { kind: 'post', postId: id } },
    { topic: `board:${boardId}`, change: { kind: 'thread', threadId } },
  ])
}
