import { asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { board, filter } from '#db/schema/index.ts'
import { type CompiledFilters, compileFilters } from './compileFilters.ts'
import type { IsBoard } from './filterText.ts'

/** Creates a function that loads the enabled filters. Compiles them again only if they have changed. */
export function createFilterLoader(db: Database, onFault: (error: unknown) => void): () => Promise<CompiledFilters> {
  let last: { key: string; compiled: CompiledFilters } | null = null
  return async () => {
    const { id, kind, value, fields, effect, message, replacement } = filter
    const rows = await db
      .select({ id, kind, value, fields, effect, message, replacement })
      .from(filter)
      .where(eq(filter.enabled, true))
      .orderBy(asc(filter.id))
    const isBoard = await readBoards(db)
    const key = JSON.stringify(rows)
    if (last?.key !== key) last = { key, compiled: compileFilters(rows, (_filter, error) => onFault(error)) }
    return { ...last.compiled, isBoard }
  }
}

export async function readBoards(db: Database): Promise<IsBoard> {
  const rows = await db.select({ id: board.id }).from(board).where(isNull(board.deletedAt))
  const ids = new Set(rows.map(({ id }) => id))
  return (id) => ids.has(id)
}
