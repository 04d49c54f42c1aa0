import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { vacuumDatabase } from '#server/core/jobs/vacuum.ts'
import { testDatabase } from '#tests/helpers/databases.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const LOG_FILE_BYTES = 16 * 1024 * 1024

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const embedded = test.runIf(inject('database') === 'pglite')
const logBytes = async () => {
  const names = await readdir(join(site.dataDir, 'db', 'pg_wal'))
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).length * LOG_FILE_BYTES
}
const sql = () => site.app.services.db.$client

embedded('keeps at most five files of the write-ahead log, also during a long transaction', async () => {
  // Commands have no timeouts.
  const command = await openDatabase({ dataDir: site.dataDir, mode: 'command' })
  const sizes: number[] = []
  const fill = (client: Pick<typeof command.sql, 'unsafe'>) =>
    client.unsafe(`insert into allowance select md5(random()::text), n from generate_series(1, 20000) n`)
  for (let batch = 0; batch < 12; batch++) {
    await fill(sql())
    sizes.push(await logBytes())
  }
  await command.sql.begin(async (tx) => {
    for (let batch = 0; batch < 12; batch++) {
      await fill(tx)
      sizes.push(await logBytes())
    }
  })
  const [written] = await sql()<{ bytes: string }[]>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`
  // The test proves something only if much was written.
  expect(Number(written?.bytes)).toBeGreaterThan(100_000_000)
  // A checkpoint follows after four new files.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * LOG_FILE_BYTES)
  await command.close()
})

embedded('vacuums all tables, so that no transaction id gets too old', async () => {
  await vacuumDatabase(site.app.services, new AbortController().signal)
  const missed = await sql()<{ name: string }[]>`
    select schemaname || '.' || relname as name from pg_stat_all_tables
    where last_vacuum is null and schemaname not in ('information_schema', 'pg_toast')`
  expect(missed.map(({ name }) => name)).toEqual([])
  const count = async () => {
    const [row] = await sql()<{ count: number }[]>`
      select sum(analyze_count)::int as count from pg_stat_all_tables where relname in ('allowance', 'board')`
    return row?.count
  }
  const analyzed = await count()
  await vacuumDatabase(site.app.services, new AbortController().signal)
  // Reading a sample of unchanged rows would only make visitors wait.
  expect(await count()).toBe(analyzed)
  // Nothing vacuums a database to which nothing connects.
  const databases = await sql()<{ name: string }[]>`select datname as name from pg_database`
  expect(databases.map(({ name }) => name)).toEqual(['postgres'])
  const [settings] = await sql()<{ timeout: string }[]>`select current_setting('statement_timeout') as timeout`
  expect(settings?.timeout).toBe('0')
})

embedded('deletes temporary files that a crash left', async () => {
  const place = await testDatabase()
  const folder = join(place.dataDir, 'db', 'base', 'pgsql_tmp')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'pgsql_tmp42.0'), 'rows of a sort')
  const database = await openDatabase(place)
  await database.close()
  expect(await readdir(folder).catch(() => [])).toEqual([])
  await place.cleanup()
})
