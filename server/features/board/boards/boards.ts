import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { ban, board, importedBoard, moderator, post, report, thread, user } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { lastEventIdSql, type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { isBoardId, isReservedId, slugify } from '#server/features/board/ids.ts'
import { findQuotesAcross, publishQuoteChanges } from '#server/features/board/quotes.ts'
import type { BoardForm, BoardView } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'

/**
 * Emails of a board's moderators, in order of appointment. Uses raw SQL, because Drizzle omits the table in `board.id`.
 */
const moderatorEmails = sql<string[]>`coalesce((
  select json_agg(u.email order by m.created_at, u.email) from moderator m
  join "user" u on u.id = m.user_id where m.board_id = "board"."id"), '[]'::json)`

export const boardColumns = {
  id: board.id,
  name: board.name,
  description: board.description,
  rules: board.rules,
  threadLimit: board.threadLimit,
  posterLabels: board.posterLabels,
  defaultName: board.defaultName,
  latestReplies: board.latestReplies,
  moderators: moderatorEmails,
}

/** The order of the list of boards, which admins can change. */
export const boardOrder = [asc(board.position), asc(board.createdAt), asc(board.id)]

export async function listBoards({ db }: Pick<Services, 'db'>): Promise<BoardView[]> {
  return db
    .select(boardColumns)
    .from(board)
    .where(isNull(board.deletedAt))
    .orderBy(...boardOrder)
}

declare module '#server/core/context.ts' {
  interface Services {
    /** all boards, in memory until one changes */
    knownBoards: () => Promise<BoardView[]>
  }
}

export const createKnownBoards = ({ db, cache }: Pick<Services, 'db' | 'cache'>): Services['knownBoards'] =>
  untilBoardsChange(cache, () => listBoards({ db }))

/** Returns a function that reads a value again only after a change of the boards. */
export const untilBoardsChange = <T>(cache: Services['cache'], read: () => Promise<T>): (() => Promise<T>) =>
  cacheFor(Number.POSITIVE_INFINITY, read, { version: () => cache.lastChange(['boards']) })

/** @throws AppError 404 'Board not found' */
export async function findBoard({ db }: { db: Pick<Services['db'], 'select'> }, boardId: string) {
  const [found] = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, lastEventId: lastEventIdSql })
        .from(board)
        .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
    : []
  if (!found) throw errors.notFound(refusal('board.boardNotFound'))
  return found
}

export async function createBoard(ctx: Context, form: Required<BoardForm>, creator: SessionUser): Promise<BoardView> {
  return writeAndPublish(ctx, async (tx) => {
    const id = await insertWithUniqueId(tx, slugify(form.name), form)
    await tx.insert(moderator).values({ boardId: id, userId: creator.id, createdAt: ctx.now() })
    await publish(tx, ctx.now(), [{ topic: 'boards', change: { kind: 'boards' } }])
    return (await findBoard({ db: tx }, id)).board
  })
}

/** Lists a new board last. */
const lastPosition = sql<number>`(select coalesce(max(b.position), 0) + 1 from board b)`

type Writer = Pick<Services['db'], 'select' | 'insert'>

/**
 * Inserts a board. Appends a number if the id is reserved, or if another board has it, including deleted and
 * concurrently inserted boards.
 */
async function insertWithUniqueId(tx: Writer, slug: string, form: Required<BoardForm>): Promise<string> {
  const rows = await tx
    .select({ id: board.id })
    .from(board)
    .where(sql`${board.id} = ${slug} or ${board.id} ~ ${`^${slug}-[0-9]{1,7}$`}`)
  const taken = new Set(rows.map((row) => row.id))
  for (let number = 1; ; number++) {
    const id = number === 1 ? slug : `${slug}-${number}`
    if (taken.has(id) || isReservedId(id)) continue
    const inserted = await tx
      .insert(board)
      .values({ id, ...form, position: lastPosition })
      .onConflictDoNothing()
      .returning({ id: board.id })
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
    if (change === 'add') {
      await tx.insert(moderator).values({ boardId, userId: member.id, createdAt: now() }).onConflictDoNothing()
    } else {
      await tx.delete(moderator).where(and(eq(moderator.boardId, boardId), eq(moderator.userId, member.id)))
    }
    await publish(tx, now(), [{ topic: 'boards', change: { kind: 'boards' } }])
  })
}

const DELETION_TIMEOUT_MS = 120_000

/** Deletes a board with its threads and files. Only admins may do this. */
export async function deleteBoard(ctx: Context, boardId: string, actor: SessionUser): Promise<void> {
  await findBoard(ctx, boardId)
  if (actor.role !== 'admin') throw errors.forbidden(refusal('auth.forbidden'))
  const files = await writeAndPublish(ctx, async (tx) => {
    // Deleting a large board takes longer than the timeout of ordinary queries.
    await extendTransactionTimeout(tx, DELETION_TIMEOUT_MS)
    const [deleted] = await tx
      .update(board)
      .set({ deletedAt: ctx.now() })
      .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
      .returning({ id: board.id })
    if (!deleted) return []
    const threadsOfBoard = sql`(select ${thread.id} from ${thread} where ${thread.boardId} = ${boardId})`
    const images = await tx
      .select({ image: post.image, moreImages: post.moreImages })
      .from(post)
      .where(and(sql`${post.threadId} in ${threadsOfBoard}`, sql`${post.imageId} is not null`))
    const quoted = await findQuotesAcross(tx, sql`${post.threadId} in ${threadsOfBoard}`)
    await tx.delete(thread).where(eq(thread.boardId, boardId))
    await tx.delete(moderator).where(eq(moderator.boardId, boardId))
    await tx.delete(importedBoard).where(eq(importedBoard.boardId, boardId))
    // Nobody could decide about them: the board that they belong to is not found.
    await tx.delete(report).where(eq(report.boardId, boardId))
    await tx.delete(ban).where(eq(ban.boardId, boardId))
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
}
