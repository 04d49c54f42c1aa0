import type { Sql, TransactionSql } from 'postgres'
import type { FileStore } from '#server/core/storage/fileStore.ts'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { ArchiveError, type Manifest, type RunOptions } from './format.ts'
import { convertRows, createMovedTables } from './olderForms.ts'
import { type ArchiveSource, readArchive } from './readArchive.ts'
import { backedUpTables, quoteIdentifier, readColumns, readSequences, siteTables } from './tables.ts'

const MAX_BATCH_LENGTH = 1_000_000
/** Hides the delays of a bucket. Few, because a hostile archive can have large files. */
const FILES_AT_ONCE = 4
/** Skips ids of events after the backup: open pages know these events and would ignore new events with the same ids. */
const EVENT_ID_GAP = 1_000_000
const EVENT_ID_SEQUENCE = 'event_id_seq'

/** Rows in these tables do not mean that the site is used: the first start, jobs and captchas create some too. */
const AUTOMATIC_TABLES = ['user', 'program', 'job', 'event', 'feed', 'article', 'spent_captcha']

/** Returns whether a restore would overwrite data of visitors or operators. */
export async function isSiteUsed(sql: Pick<Sql, 'unsafe'>): Promise<boolean> {
  const written = backedUpTables.filter(({ name }) => !AUTOMATIC_TABLES.includes(name))
  // A new site has one admin, and default programs that all have the same `updated_at`.
  const [found] = await sql.unsafe<{ used: boolean }[]>(`select
    ${written.map(({ name }) => `exists (select from ${quoteIdentifier(name)})`).join(' or ')}
    or (select count(*) from "user") > 1
    or (select count(distinct updated_at) from program) > 1 as used`)
  return found?.used === true
}

/** @param added gets the names of all files that may be new */
export async function restoreFiles(
  source: ArchiveSource,
  files: FileStore,
  added: string[],
  options: RunOptions,
): Promise<void> {
  let count = 0
  await forEachConcurrently(filesOf(source, options.signal), FILES_AT_ONCE, async ({ name, bytes }) => {
    // File names are never reused, so an existing file has the same content.
    if (!(await files.open(name))) {
      added.push(name)
      await files.put(name, bytes)
    }
    count++
    options.progress(`Restoring: ${count.toLocaleString('en')} files`)
  })
}

async function* filesOf(source: ArchiveSource, signal: AbortSignal): AsyncGenerator<{ name: string; bytes: Buffer }> {
  for await (const part of readArchive(source)) {
    signal.throwIfAborted()
    if (part.kind === 'file') yield { name: part.name, bytes: await part.read() }
  }
}

export async function restoreRows(
  tx: TransactionSql,
  source: ArchiveSource,
  manifest: Manifest,
  options: RunOptions,
): Promise<void> {
  const before = new Map((await readSequences(tx)).map((sequence) => [sequence.name, sequence]))
  await tx.unsafe(`truncate ${siteTables.map(({ name }) => quoteIdentifier(name)).join(', ')}`)
  // Disables the triggers: they update a counter and an index for each row, and 50,000 rows would take minutes.
  await setTriggers(tx, 'disable')
  const columns = new Map([...(await readColumns(tx)), ...(await createMovedTables(tx, manifest))])
  for await (const part of readArchive(source)) {
    if (part.kind === 'file' || part.kind === 'end') break
    if (part.kind !== 'rows') continue
    const types = new Map(columns.get(part.table)?.map(({ name, type }) => [name, type]))
    await insertAll(tx, part.table, part.columns, types, part.lines, options)
  }
  await convertRows(tx, manifest)
  await setTriggers(tx, 'enable')
  await tx.unsafe('select recount_stored()')
  await tx.unsafe('select index_posts(array(select id from post))')
  await tx.unsafe('update job set leased_until = null')
  for (const { name, value, called } of manifest.sequences) {
    const own = before.get(name)
    if (!own) continue
    const ahead = BigInt(value) + BigInt(name === EVENT_ID_SEQUENCE ? EVENT_ID_GAP : 0)
    // Sequences never go back: a new post must not get the number of a post that other sites link to.
    const isAhead = BigInt(own.value) > ahead
    await tx.unsafe('select setval($1::text::regclass, $2::text::bigint, $3::text::boolean)', [
      quoteIdentifier(name),
      String(isAhead ? own.value : ahead),
      String(isAhead ? own.called : called),
    ])
  }
}

const setTriggers = (tx: TransactionSql, state: 'disable' | 'enable') =>
  tx.unsafe(siteTables.map(({ name }) => `alter table ${quoteIdentifier(name)} ${state} trigger user`).join('; '))

async function insertAll(
  tx: TransactionSql,
  table: string,
  columns: string[],
  types: Map<string, string>,
  lines: AsyncGenerator<string>,
  { signal, progress }: RunOptions,
): Promise<void> {
  const values = columns.map((name, index) => `(r->>${index})::${types.get(name)}`)
  const insert = `insert into ${quoteIdentifier(table)} (${columns.map(quoteIdentifier)})
    select ${values} from json_array_elements($1::text::json) r`
  let batch: string[] = []
  let length = 0
  let rows = 0
  const send = async () => {
    signal.throwIfAborted()
    if (batch.length === 0) return
    await tx.unsafe(insert, [`[${batch.join()}]`]).catch((error) => {
      if (!/^2[23]/.test(error.code)) throw error
      throw new ArchiveError(`the rows of ${table} are invalid: ${error.message}`)
    })
    rows += batch.length
    progress(`Restoring: ${rows.toLocaleString('en')} rows of ${table}`)
    batch = []
    length = 0
  }
  for await (const line of lines) {
    batch.push(line)
    length += line.length
    if (length >= MAX_BATCH_LENGTH) await send()
  }
  await send()
}
