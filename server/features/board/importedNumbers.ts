import { and, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { board, importedBoard, importedRange, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { PostRef } from '#src/contract/board.ts'
import { parsePostId } from './ids.ts'

type Reader = Pick<Services, 'db'>

/** Finds the published post that had this number on an imported board. @param name of the board in its old URLs */
export async function findImportedPost({ db }: Reader, name: string, number: string): Promise<PostRef | null> {
  const old = parsePostId(number)
  if (old === null) return null
  const [found] = await db
    .select({ id: post.id, threadId: post.threadId, boardId: thread.boardId })
    .from(importedRange)
    .innerJoin(importedBoard, eq(importedBoard.name, importedRange.source))
    .innerJoin(post, eq(post.id, sql`${old}::bigint + ${importedRange.shift}`))
    .innerJoin(thread, and(eq(thread.id, post.threadId), eq(thread.boardId, importedBoard.boardId)))
    .where(and(eq(importedRange.source, name), lte(importedRange.first, old), gte(importedRange.last, old)))
  return found ?? null
}

/** Lists the old names of imported boards and the ids of their boards. */
export async function listImportedNames({ db }: Reader): Promise<{ name: string; boardId: string }[]> {
  return db
    .select({ name: importedBoard.name, boardId: importedBoard.boardId })
    .from(importedBoard)
    .innerJoin(board, and(eq(board.id, importedBoard.boardId), isNull(board.deletedAt)))
}
