import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { ban, board, importedBoard, moderator, post, report, thread, user } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, memberProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { isBoardId, isReservedId, slugify } from '#server/features/board/ids.ts'
import { findQuotesAcross, publishQuoteChanges } from '#server/features/board/quotes.ts'
import { type BoardForm, type BoardView, boardChange, boardMove, boardParams } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'
import { boardOrder, findBoard } from './boards.ts'

const isLive = (boardId: string) => and(eq(board.id, boardId), isNull(board.deletedAt))

const publishBoards = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'boards', change: { kind: 'boards' } }])

export async function createBoard(ctx: Context, form: Required<BoardForm>, creator: SessionUser): Promise<BoardView> {
  return writeAndPublish(ctx, async (tx) => {
    const id = await insertWithUniqueId(tx, slugify(form.name), form)
    await tx.insert(moderator).values({ boardId: id, userId: creator.id, createdAt: ctx.now() })
    await publishBoards(tx, ctx.now())
    return (await findBoard({ db: tx }, id)).board
  })
}

/** Lists a new board last. */
const lastPosition = sql<number>`(select coalesce(max(b.position), 0) + 1 from board b)`

/**
 * Inserts a board. Appends a number if the id is reserved, or if another board has it, including deleted and
 * concurrently inserted boards.
 */
async function insertWithUniqueId(tx: Transaction, slug: string, form: Required<BoardForm>): Promise<string> {
  const isLike = sql`${board.id} = ${slug} or ${board.id} ~ ${`^${slug}-[0-9]{1,7}$`}`
  const rows = await tx.select({ id: board.id }).from(board).where(isLike)
  const taken = new Set(rows.map((row) => row.id))
  for (let number = 1; ; number++) {
    const id = number === 1 ? slug : `${slug}-${number}`
    if (taken.has(id) || isReservedId(id)) continue
    const row = { id, ...form, position: lastPosition }
    const inserted = await tx.insert(board).values(row).onConflictDoNothing().returning({ id: board.id })
    if (inserted.length > 0) return id
  }
}

/** @throws AppError 404 for an unknown board or user */
export async function changeModerator(
  deps: Publisher & Pick<Services, 'now'>,
  boardId: string,
  change: 'add' | 'remove',
  email: string,
): Promise<void> {
  const { db, now } = deps
  await findBoard({ db }, boardId)
  const [member] = await db.select({ id: user.id }).from(user).where(eq(user.email, email))
  if (!member) throw errors.notFound(refusal('admin.noUser', { email }))
  await writeAndPublish(deps, async (tx) => {
    if (change === 'add')
      await tx.insert(moderator).values({ boardId, userId: member.id, createdAt: now() }).onConflictDoNothing()
    else await tx.delete(moderator).where(and(eq(moderator.boardId, boardId), eq(moderator.userId, member.id)))
    await publishBoards(tx, now())
  })
}

export const change = documented(
  adminProcedure.input(boardParams.and(boardChange)).mutation(({ ctx, input: { boardId, ...settings } }) => {
    if (!isBoardId(boardId)) throw errors.notFound(refusal('board.boardNotFound'))
    return writeAndPublish(ctx, async (tx) => {
      const changed = await tx.update(board).set(settings).where(isLive(boardId)).returning({ id: board.id })
      if (changed.length === 0) throw errors.notFound(refusal('board.boardNotFound'))
      await publishBoards(tx, ctx.now())
    })
  }),
  {
    method: 'PUT',
    path: '/api/dtpchan/boards/:boardId',
    summary: 'Changes the texts and settings of a board. Settings that are left out stay as they are.',
  },
)

/**
 * Swaps a board with its neighbour in the list. Does nothing at the end of the list. Locks all boards, so that
 * concurrent moves do not undo each other.
 * @throws AppError 404
 */
export const move = adminProcedure.input(boardMove).mutation(({ ctx, input: { boardId, by } }) =>
  writeAndPublish(ctx, async (tx) => {
    const rows = await tx.select().from(board).where(isNull(board.deletedAt)).orderBy(boardOrder).for('update')
    const ids = rows.map(({ id }) => id)
    const from = ids.indexOf(boardId)
    if (from === -1) throw errors.notFound(refusal('board.boardNotFound'))
    if (ids[from + by] === undefined) return
    ids.splice(from + by, 0, ...ids.splice(from, 1))
    await tx.execute(sql`update board set position = ordered.position
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as ordered(id, position)
      where board.id = ordered.id`)
    await publishBoards(tx, ctx.now())
  }),
)

const DELETION_TIMEOUT_MS = 120_000

/** Deletes a board with its threads and files. */
export const deleteBoard = documented(
  memberProcedure()
    .input(boardParams)
    .mutation(async ({ ctx, input: { boardId } }) => {
      await findBoard(ctx, boardId)
      if (ctx.user.role !== 'admin') throw errors.forbidden(refusal('auth.forbidden'))
      const files = await writeAndPublish(ctx, async (tx) => {
        // Deleting a large board takes longer than the timeout of ordinary queries.
        await extendTransactionTimeout(tx, DELETION_TIMEOUT_MS)
        const deletedAt = ctx.now()
        const deleted = await tx.update(board).set({ deletedAt }).where(isLive(boardId)).returning({ id: board.id })
        if (deleted.length === 0) return []
        const isOnBoard = sql`${post.threadId} in (select ${thread.id} from ${thread} where ${thread.boardId} = ${boardId})`
        const images = await tx
          .select({ image: post.image, moreImages: post.moreImages })
          .from(post)
          .where(and(isOnBoard, isNotNull(post.imageId)))
        const quoted = await findQuotesAcross(tx, isOnBoard)
        // Nobody could decide about the reports and bans: the board that they belong to is not found.
        for (const table of [thread, moderator, importedBoard, report, ban])
          await tx.delete(table).where(eq(table.boardId, boardId))
        await publish(tx, ctx.now(), [
          { topic: 'boards', change: { kind: 'board-gone', boardId } },
          // Its held posts, reports and appeals go, too.
          { topic: 'moderation', change: { kind: 'queue' } },
        ])
        await publishQuoteChanges(tx, ctx.now(), quoted)
        return images.flatMap(filesOfPost)
      })
      // The board is gone, so the admin cannot try again.
      await retryLater(ctx.log, () => ctx.files.remove([...files, ...files.map(withheldName)]))
    }),
  {
    method: 'DELETE',
    path: '/api/dtpchan/boards/:boardId',
    summary: 'Deletes a board with all its threads',
    access: 'admin',
  },
)
