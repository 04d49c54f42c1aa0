import { asc, eq } from 'drizzle-orm'
import { user } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { createBoard, listBoards } from '#server/features/board/boards.ts'
import { slugOf } from '#server/features/board/ids.ts'
import type { BoardView } from '#src/contract/board.ts'
import { boardForm } from '#src/contract/boardForms.ts'

const DEFAULT_BOARD = 'Technology'

const DESCRIPTIONS: Record<string, string> = {
  Technology: 'Programming, systems, networks, and whatever was taken apart this week.',
  Radio: 'Software radio, mesh nodes, antennas, and what the stream played last night.',
  Hardware: 'Boards, irons, keyboards and machines older than their owners.',
  Random: 'What fits nowhere else. Be kind.',
}

/** The board to be filled, made when missing, and the small ones that an empty site gets besides. */
export type Boards = { main: BoardView; others: BoardView[] }

/**
 * @param wanted id or name of the board
 * @throws Error when a board has to be made and there is no admin to make it
 */
export async function prepareBoards(ctx: Context, wanted = DEFAULT_BOARD): Promise<Boards> {
  const existing = await listBoards(ctx)
  const main =
    existing.find(({ id }) => id === wanted) ??
    existing.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (await makeBoard(ctx, wanted))
  if (existing.length > 0) return { main, others: [] }
  const others: BoardView[] = []
  for (const name of Object.keys(DESCRIPTIONS)) {
    if (name !== DEFAULT_BOARD && slugOf(name) !== main.id) others.push(await makeBoard(ctx, name))
  }
  return { main, others }
}

async function makeBoard(ctx: Context, wanted: string): Promise<BoardView> {
  const name = wanted.charAt(0).toUpperCase() + wanted.slice(1)
  const form = boardForm.parse({ name, description: DESCRIPTIONS[name] ?? `Everything about ${name.toLowerCase()}.` })
  const [admin] = await ctx.db
    .select({ id: user.id, email: user.email, role: user.role })
    .from(user)
    .where(eq(user.role, 'admin'))
    .orderBy(asc(user.createdAt), asc(user.id))
    .limit(1)
  if (!admin) throw new Error('There is no admin to make the board: start the site once, or add one with npm run users')
  return createBoard(ctx, form, { ...admin, sessionId: '' })
}
