import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { boardChange, boardMove, boardParams } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'
import { boardOrder } from './boards.ts'

const publishBoards = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'boards', change: { kind: 'boards' } }])

export const change = documented(
  adminProcedure.input(boardParams.and(boardChange)).mutation(({ ctx, input: { boardId, ...settings } }) => {
    if (!isBoardId(boardId)) throw errors.notFound(refusal('board.boardNotFound'))
    return writeAndPublish(ctx, async (tx) => {
      const changed = await tx
        .update(board)
        .set(settings)
        .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
        .returning({ id: board.id })
      if (changed.length === 0) throw errors.notFound(refusal('board.boardNotFound'))
      await publishBoards(tx, ctx.now())
    })
  }),
  {
    method: 'PUT',
    path: '/api/dtpchan/boards/:boardId',
    summary: 'Changes the texts and settings of a board. Settings that are left out stay as they are.',
    answer: null,
  },
)

/**
 * Swaps a board with its neighbour in the list. Does nothing at the end of the list. Locks all boards, so that
 * concurrent moves do not undo each other.
 * @throws AppError 404
 */
export const move = adminProcedure.input(boardMove).mutation(({ ctx, input: { boardId, by } }) =>
  writeAndPublish(ctx, async (tx) => {
    const rows = await tx
      .select({ id: board.id })
      .from(board)
      .where(isNull(board.deletedAt))
      .orderBy(...boardOrder)
      .for('update')
    const ids = rows.map(({ id }) => id)
    const from = ids.indexOf(boardId)
    if (from === -1) throw errors.notFound(refusal('board.boardNotFound'))
    const neighbour = ids[from + by]
    if (neighbour === undefined) return
    ids[from] = neighbour
    ids[from + by] = boardId
    await tx.execute(sql`update board set position = ordered.position
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as ordered(id, position)
      where board.id = ordered.id`)
    await publishBoards(tx, ctx.now())
  }),
)
