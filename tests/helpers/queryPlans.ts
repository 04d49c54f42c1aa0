import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Database } from '#db/client.server.ts'
import * as schema from '#db/schema/index.ts'

/** A query as it went to the database. */
export type Asked = { query: string; params: unknown[] }

/** The same database, noting down what it is asked. */
export function noting(db: Database): { db: Database; asked: Asked[] } {
  const asked: Asked[] = []
  const logger = { logQuery: (query: string, params: unknown[]) => asked.push({ query, params }) }
  return { db: drizzle(clientOf(db), { schema, logger }), asked }
}

const clientOf = (db: Database) => (db as unknown as { $client: Sql }).$client

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** A step that reads a table, or sorts. */
export type Step = { node: string; table: string; index: string; rows: number }

/** Asks the database once more, and how it went about it: its steps, with the rows each has had in its hands. */
export async function stepsOf(db: Database, { query, params }: Asked): Promise<Step[]> {
  const explained = `explain (analyze, timing off, format json) ${query}`
  const [row] = await clientOf(db).unsafe(explained, params as string[])
  const [{ Plan: plan }] = row?.['QUERY PLAN'] as [{ Plan: Node }]
  return flatten(plan).map((node) => ({
    node: node['Node Type'],
    table: node['Relation Name'] ?? '',
    index: node['Index Name'] ?? '',
    rows:
      (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'],
  }))
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
