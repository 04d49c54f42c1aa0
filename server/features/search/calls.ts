import { sql } from 'drizzle-orm'
import { hasErrorCode } from '#db/errors.server.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { boardLimits } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  SEARCH_CURSOR,
  type SearchBoard,
  type SearchHit,
  type SearchInput,
  type SearchPage,
  type SearchSort,
  searchInput,
  searchLimits,
  searchPageSchema,
} from '#src/contract/search.ts'
import type { Term } from '#src/contract/searchQuery.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import { excerptAround } from '#src/lib/highlight.ts'
import { type FoundRow, type SearchCursor, searchStatement } from './query.ts'

/** Limits the time of a search, even if it waits for others. It usually ends itself earlier. */
const TIMEOUT_MS = 2000

type LastHit = { id: number; rank: number; newest: number }

export const formatCursor = (sort: SearchSort | undefined, { id, rank, newest }: LastHit): string =>
  sort === 'date' ? String(id - 1) : `${newest}-${id}-${rank}`

/** Parses a cursor that the contract has validated. Without one, the search begins at the first page. */
export function parseCursor(text: string | undefined): SearchCursor {
  const [, newest, id, rank] = SEARCH_CURSOR.exec(text ?? '') ?? []
  if (newest === undefined) return {}
  return { newest: Number(newest), ...(id !== undefined && { last: { id: Number(id), rank: Number(rank) } }) }
}

/** Searches published posts. @throws AppError 404 'Board not found', 503 if the search takes too long */
const posts = guestProcedure.input(searchInput).query(({ ctx, input }) =>
  ctx.readLarge(async (): Promise<SearchPage> => {
    const rows = await findRows(ctx, input)
    const found = rows.filter((row): row is FoundRow & { id: string } => row.id !== null)
    if (found.length === 0 && input.board !== undefined) await findBoard(ctx, input.board)
    const shown = found.slice(0, searchLimits.hitsPerPage)
    const last = found.length > shown.length ? shown.at(-1) : undefined
    const isCapped = input.sort !== 'date' && (found[0]?.matches ?? 0) >= searchLimits.ranked
    return {
      hits: shown.map((row) => hitView(row, input.q.terms)),
      nextCursor: last
        ? formatCursor(input.sort, { id: Number(last.id), rank: last.rank, newest: Number(last.newest) })
        : null,
      isComplete: !isCapped && rows[0]?.isCut !== true,
    }
  }),
)

const findRows = ({ db, now }: Pick<Services, 'db' | 'now'>, input: SearchInput): Promise<FoundRow[]> =>
  db
    .transaction(async (tx) => {
      // Compiling the statement (`jit`) would take longer than running it.
      await tx.execute(
        sql`select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true), set_config('jit', 'off', true)`,
      )
      return tx.execute<FoundRow>(searchStatement(input, parseCursor(input.cursor), now()))
    })
    .catch((error) => {
      throw hasErrorCode(error, '57014') ? errors.unavailable(refusal('search.load')) : error
    })

function hitView(row: FoundRow & { id: string }, terms: Term[]): SearchHit {
  const { boardId, title, author, content, image, spoiler } = row
  return {
    boardId,
    threadId: Number(row.threadId),
    postId: Number(row.id),
    title,
    author,
    createdAt: new Date(row.createdAtMs),
    excerpt: excerptAround(excerpt(content, boardLimits.content), terms, searchLimits.excerpt),
    picture: image && !spoiler ? fileView(image.preview) : null,
    spoiler,
  }
}

export const searchRouter = router({
  posts: documented(posts, {
    path: '/api/dtpchan/search',
    summary:
      'Finds published posts by words, `"phrases"`, `-excluded` words and `nick:name`, 20 per page. `from` and `to` are days such as 2026-01-31.',
    answer: searchPageSchema,
    statuses: { 404: 'There is no such board' },
  }),
  /** the boards that a search can be limited to */
  boards: guestProcedure.query(
    async ({ ctx }): Promise<SearchBoard[]> => (await ctx.knownBoards()).map(({ id, name }) => ({ id, name })),
  ),
})
