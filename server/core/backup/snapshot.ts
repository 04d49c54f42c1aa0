import type { FileHandle } from 'node:fs/promises'
import type { Sql, TransactionSql } from 'postgres'
import { latestMigration } from '#db/migrate.server.ts'
import type { RunOptions } from './format.ts'
import {
  backedUpTables,
  type Column,
  quoteIdentifier,
  readColumns,
  readSequences,
  rowConditions,
  type Sequence,
  type SiteTable,
} from './tables.ts'
import { openUnlinkedFile } from './writeFile.ts'

/** Limits each fetch of rows, to save memory. */
const FETCHED_BYTES = 1_000_000
const FETCHED_ROWS = 1000

export type Snapshot = {
  migration: number
  tables: { name: string; columns: string[]; rows: number; start: number; size: number }[]
  sequences: Sequence[]
  spool: FileHandle
  durationMs: number
}

/** Copies all rows to a local file first: reading blocks a site with the embedded database, so it must be quick. */
export async function takeSnapshot(sql: Sql, dataDir: string, options: RunOptions): Promise<Snapshot> {
  const spool = await openUnlinkedFile(dataDir)
  try {
    return await sql.begin(async (tx): Promise<Snapshot> => {
      await tx.unsafe('set transaction isolation level repeatable read, read only')
      // Sets the text format of values only for this transaction (`set local`), because other queries may share the
      // session.
      await tx.unsafe("set local timezone to 'UTC'")
      await tx.unsafe("set local datestyle to 'ISO, YMD'")
      await tx.unsafe("set local bytea_output to 'hex'")
      const began = performance.now()
      const [newest] = await tx.unsafe<{ latest: string }[]>(latestMigration)
      const columns = await readColumns(tx)
      const tables: Snapshot['tables'] = []
      let end = 0
      for (const table of backedUpTables) {
        const tableColumns = columns.get(table.name)
        // The running site may be an older version that does not have this table.
        if (!tableColumns) continue
        const written = await writeRows(tx, table, tableColumns, { spool, ...options })
        tables.push({ name: table.name, columns: tableColumns.map(({ name }) => name), start: end, ...written })
        end += written.size
      }
      // Reads sequences after the rows: a restored sequence must not issue a number that a row already has.
      const sequences = await readSequences(tx)
      return { migration: Number(newest?.latest), tables, sequences, spool, durationMs: performance.now() - began }
    })
  } catch (error) {
    await spool.close()
    throw error
  }
}

type Sink = RunOptions & { spool: FileHandle }

async function writeRows(tx: TransactionSql, table: SiteTable, columns: Column[], sink: Sink) {
  const key = table.primaryKey.filter((name) => columns.some((column) => column.name === name)).map(quoteIdentifier)
  await tx.unsafe(`declare rows no scroll cursor for
    select json_build_array(${columns.map(({ name }) => `${quoteIdentifier(name)}::text`)})::text
    from ${quoteIdentifier(table.name)} where ${rowConditions[table.name] ?? 'true'} ${key.length > 0 ? `order by ${key}` : ''}`)
  let rows = 0
  let size = 0
  for (let count = 50; ; ) {
    sink.signal.throwIfAborted()
    const lines: string[][] = await tx.unsafe(`fetch ${count} from rows`).values()
    if (lines.length === 0) break
    const text = Buffer.from(`${lines.join('\n')}\n`)
    await sink.spool.writeFile(text)
    rows += lines.length
    size += text.length
    count = Math.min(FETCHED_ROWS, 4 * count, Math.max(5, Math.floor((count * FETCHED_BYTES) / text.length)))
    sink.progress(`${rows.toLocaleString('en')} rows of ${table.name}`)
  }
  await tx.unsafe('close rows')
  return { rows, size }
}
