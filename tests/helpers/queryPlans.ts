import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Database } from '#db/client.server.ts'
import * as schema from '#db/schema/index.ts'

export type LoggedQuery = { query: string; params: unknown[] }

/** Wraps a database and records all queries sent through the wrapper. */
export function withQueryLog(db: Database): { db: Database; queries: LoggedQuery[] } {
  const queries: LoggedQuery[] = []
  const logger = { logQuery: (query: string, params: unknown[]) => queries.push({ query, params }) }
  return { db: drizzle(clientOf(db), { schema, logger }), queries }
}

const clientOf = (db: Database) => (db as unknown as { $client: Sql }).$client

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** A step of a query plan; `rows` is the number of rows that the step processed. */
export type PlanStep = { node: string; table: string; rows: number }

/** `these` is PostgreSQL's custom plan, for the given values; `any` is its generic plan, for any values. */
export type PlanKind = 'these' | 'any'

/** Runs the query with EXPLAIN ANALYZE and returns the plan's steps. */
export async function explainSteps(
  db: Database,
  { query, params }: LoggedQuery,
  planned: PlanKind,
): Promise<PlanStep[]> {
  const explain = 'explain (analyze, timing off, format json)'
  const [row] = await clientOf(db).begin(async (tx) => {
    if (planned === 'these') return tx.unsafe(`${explain} ${query}`, params as string[])
    await tx.unsafe('set local plan_cache_mode = force_generic_plan')
    await tx.unsafe(`prepare planned as ${query}`)
    const answer = await tx.unsafe(
      `${explain} execute planned${params.length ? `(${params.map(literal).join()})` : ''}`,
    )
    await tx.unsafe('deallocate planned')
    return answer
  })
  const plans = row?.['QUERY PLAN'] as { Plan: Node }[]
  return plans
    .flatMap(({ Plan }) => flatten(Plan))
    .map((node) => ({
      node: node['Node Type'],
      table: node['Relation Name'] ?? '',
      rows: node['Node Type'].includes('Sort')
        ? countReturnedRows(node.Plans ?? [])
        : countReturnedRows([node]) + countRemovedRows(node),
    }))
}

/** Returns a parameter as an SQL literal. Does not support lists. */
function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  return `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
const countReturnedRows = (nodes: Node[]) =>
  nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
const countRemovedRows = (node: Node) =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops']
