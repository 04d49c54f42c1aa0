import { TRPCError } from '@trpc/server'
import { ne } from 'drizzle-orm'
import { ZodRealError } from 'zod'
import { board } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createBoardsReader } from '#server/features/board/read/oldUrls.ts'
import { splitAuthor } from '#src/contract/authorName.ts'
import { refusal } from '#src/contract/refusal.ts'

type Reader = Pick<Services, 'db' | 'cache'>

/** The names in memory, by the cache that knows when boards change: a comment without a name costs no statement more. */
const readers = new WeakMap<Services['cache'], () => Promise<ReadonlyMap<string, string>>>()

/** Returns the name that a board gives to posts without one; undefined if they need one. */
async function findDefaultName({ db, cache }: Reader, boardId: string): Promise<string | undefined> {
  let read = readers.get(cache)
  if (!read) {
    read = createBoardsReader(cache, async () => {
      const { id, defaultName } = board
      const rows = await db.select({ id, defaultName }).from(board).where(ne(defaultName, ''))
      return new Map(rows.map((row) => [row.id, row.defaultName]))
    })
    readers.set(cache, read)
  }
  return (await read()).get(boardId)
}

type Form = { boardId: string; author: string }

/**
 * Gives a post without a name the board's default name. A secret stays: its code is shown beside that name.
 * @throws TRPCError 400 for the field, if the board has no default name
 */
export async function completeName<Input extends Form>(ctx: Reader, form: Input): Promise<Input> {
  if (splitAuthor(form.author).nick !== '') return form
  const name = await findDefaultName(ctx, form.boardId)
  if (name !== undefined) return { ...form, author: `${name}${form.author}` }
  const issue = { message: refusal('board.authorRequired'), path: ['author'], input: undefined }
  throw new TRPCError({ code: 'BAD_REQUEST', cause: new ZodRealError([{ code: 'custom', ...issue }]) })
}
