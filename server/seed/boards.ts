import { asc, eq } from 'drizzle-orm'
import { user } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { createBoard } from '#server/features/board/boards/boardChanges.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { slugify } from '#server/features/board/ids.ts'
import { type BoardView, boardForm } from '#src/contract/board.ts'

const DEFAULT_BOARD = 'Technology'

const DESCRIPTIONS: Record<string, string> = {
  Technology: 'Programming, systems, networks, and whatever was taken apart this week.',
  Radio: 'Software radio, mesh nodes, antennas, and what the stream played last night.',
  Hardware: 'Boards, irons, keyboards and machines older than their owners.',
  Random: 'What fits nowhere else. Be kind.',
}

/** `others` are small boards, created only on an empty site. */
export type Boards = { main: BoardView; others: BoardView[] }

/**
 * Finds or creates the board.
 * @param wanted id or name of the board
 * @throws Error if a board must be created and the site has no admin
 */
export async function prepareBoards(ctx: Context, wanted = DEFAULT_BOARD): Promise<Boards> {
  const existing = await listBoards(ctx)
  const main =
    existing.find(({ id }) => id === wanted) ??
    existing.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (await createMissingBoard(ctx, wanted))
  if (existing.length > 0) return { main, others: [] }
  const others: BoardView[] = []
  for (const name of Object.keys(DESCRIPTIONS)) {
    if (name !== DEFAULT_BOARD && slugify(name) !== main.id) others.push(await createMissingBoard(ctx, name))
  }
  return { main, others }
}

async function createMissingBoard(ctx: Context, wanted: string): Promise<BoardView> {
  const name = wanted.charAt(0).toUpperCase() + wanted.slice(1)
  const form = boardForm.parse({ name, description: DESCRIPTIONS[name] ?? `Everything about ${name.toLowerCase()}.` })
  const [admin] = await ctx.db
    .select({ id: user.id, email: user.email, role: user.role })
    .from(user)
    .where(eq(user.role, 'admin'))
    .orderBy(asc(user.createdAt), asc(user.id))
    .limit(1)
  if (!admin)
    throw new Error(
      'Cannot create the board: the site has no admin. Start the site once, or add an admin with npm run users',
    )
  return createBoard(ctx, form, { ...admin, sessionId: '' })
}
