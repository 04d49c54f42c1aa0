import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openForBackup, openForRestore } from '#db/maintenance.server.ts'
import type { Manifest } from '#server/core/backup/format.ts'
import { restoreRows } from '#server/core/backup/loadArchive.ts'
import { restore } from '#server/core/backup/restore.ts'
import { takeSnapshot } from '#server/core/backup/snapshot.ts'
import { verifyArchive } from '#server/core/backup/verifyArchive.ts'
import { picturesOf } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { editArchive, editJsonEntry, unpackArchive } from '#tests/helpers/backupArchive.ts'
import {
  captureState,
  createPngFile,
  expectedAfterRestore,
  hashUploads,
  omitExcludedTables,
  postJson,
  type QueryRunner,
  readRows,
  readSecretKey,
  seedSite,
  startWriters,
  withDatabase,
} from '#tests/helpers/backupSite.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { postForm } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson, runCommand, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const embedded = inject('database') === 'pglite'
const SECRET = 'a secret that only tests know, long enough'
/** With PGlite, the site generates its secret key, and its backups contain this key. */
const env: Record<string, string> = embedded ? { SECRET_KEY: '' } : {}
const secretKey = embedded ? undefined : SECRET

const options = {
  replace: false,
  otherSecret: false,
  signal: new AbortController().signal,
  progress: () => {},
  print: () => {},
}
const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

async function place(): Promise<TestDatabase> {
  const made = await testDatabase()
  cleanups.push(made.cleanup)
  return made
}

/** Creates an empty folder for an embedded database, even when the tests use PostgreSQL. */
async function freshFolder(): Promise<{ dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir }
}

const source = {} as {
  at: TestDatabase
  filled: Awaited<ReturnType<typeof seedSite>>
  folder: string
  /** path of a backup of the stopped site; `state` has the rows and files at that time */
  quiet: string
  state: Awaited<ReturnType<typeof captureState>>
}
const edited = (name: string, edit: Parameters<typeof editArchive>[2]) =>
  editArchive(source.quiet, join(source.folder, name), edit)

beforeAll(async () => {
  source.folder = (await freshFolder()).dataDir
  source.quiet = join(source.folder, 'quiet.tgz')
  source.at = await place()
})

test('restores a backup of a busy site to one consistent state', async () => {
  const { at } = source
  const busy = join(source.folder, 'busy.tgz')
  const site = await spawnSite(at, { ...env, THREAD_POST_LIMIT: '100000' })
  source.filled = await seedSite(site)
  const { filled } = source
  const writers = startWriters(site.origin, filled.path, await createPngFile())
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(5)
  const before = [...writers.acknowledged]
  const made = await runCommand(at, ['backup', busy], '', env)
  await writers.stop()
  expect(made.output).toMatch(/^Backed up [\d,]+ rows and \d+ files in .*busy\.tgz, [\d.]+ MB\n/)
  expect(made.code).toBe(0)
  expect((await stat(busy)).mode & 0o777).toBe(0o600)
  expect((await readdir(at.dataDir)).filter((name) => name.includes('backup'))).toEqual([])

  await expect(restore(busy, { ...at, secretKey }, options)).rejects.toThrow(
    /^Cannot restore: a site is running on .*Stop (it|all its processes) first/,
  )
  expect(await site.stop()).toBe(0)

  // Adds unusual values to the stopped site. Tests compare restored sites with this state.
  await withDatabase(at, async (sql) => {
    await sql`insert into event (topic, change, created_at) values
      ('odd', 'null', '2026-03-29 01:30:00.123Z'),
      ('odd', '{"n": 12345678901234567890.1250, "s": "\\u00e9\\"😀"}', 'epoch'),
      (E'a "b" \\\\ \n\t\u2028', '[]', '2026-10-25 02:30:00+02')`
    await sql`insert into job (name, started_at, leased_until) values ('leased', now(), now() + interval '1 hour')`
    await sql`insert into allowance values ('someone', 9007199254740993)`
    source.state = { rows: await readRows(sql), files: await hashUploads(at), secret: await readSecretKey(at) }
    expect(await runCommand(at, ['backup', source.quiet], '', env)).toMatchObject({ code: 0 })
  })

  const other = await place()
  expect((await runCommand(other, ['restore', busy], '', env)).output).toMatch(
    /^Restored [\d,]+ rows and \d+ files from the backup of /,
  )
  const again = await spawnSite(other, { ...env, THREAD_POST_LIMIT: '100000' })
  const { thread } = await readJson(await fetch(`${again.origin}${filled.threads}/${filled.threadId}`))
  const numbers: number[] = thread.comments.map(({ id }: { id: number }) => id)
  expect(before.filter((id) => !numbers.includes(id))).toEqual([])
  expect(numbers.filter((id) => id !== filled.comment.id && !writers.acknowledged.includes(id))).toEqual([])
  expect(numbers.length).toBe(thread.commentCount)
  const { comments } = thread as ThreadView
  expect(comments.filter(({ id }) => id === filled.comment.id).flatMap(picturesOf)).toHaveLength(2)
  for (const { url } of comments.flatMap(picturesOf)) expect((await fetch(`${again.origin}${url}`)).status).toBe(200)
  await looksAlike(again)
  expect(await again.stop()).toBe(0)
})

/** Checks that a restored site has the old content, accepts a login and stores new posts. */
async function looksAlike(site: SiteProcess) {
  const { threads, threadId, comment, paste, share, token, path } = source.filled
  const page = await fetch(`${site.origin}/dtpchan/board/${threads.split('/')[4]}/thread/${threadId}`)
  const { thread } = await readJson(await fetch(`${site.origin}${threads}/${threadId}`))
  expect(thread.comments.find(({ id }: { id: number }) => id === comment.id)).toMatchObject({
    content: comment.content,
    replies: [expect.objectContaining({ content: 'a reply' })],
  })
  expect(page.status).toBe(200)
  const idOf = (url: string) => new URL(url).pathname.split('/')[2]
  const read = await readJson(await fetch(`${site.origin}/api/paste/${idOf(paste.url)}`))
  expect(read.paste.content).toBe('only who has the link\0')
  const shared = await readJson(await fetch(`${site.origin}/api/image-share/${idOf(share.url)}`))
  expect((await fetch(new URL(new URL(share.imageUrl).pathname, site.origin))).status).toBe(200)
  expect(shared.imageShare.filename).toBe(share.filename)
  expect((await postJson(site.origin, '/api/dtpchan/admin/login', ADMIN)).status).toBe(200)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const made = await fetch(`${site.origin}/api/dtpchan/boards`, {
    method: 'POST',
    headers,
    body: '{"name":"x","description":"y"}',
  })
  expect(made.status).toBe(401)
  const written = await postForm(site.origin, path, { content: `after >>${comment.id}` })
  expect(written.comment.id).toBeGreaterThan(Math.max(...thread.comments.map(({ id }: { id: number }) => id)))
}

/** On a push, the tests on PostgreSQL restore both databases; those on the embedded one back up and restore a busy site. */
const bothTest = test.skipIf(embedded && !isDeep)

bothTest('restores every row and every file on either database', async () => {
  const { quiet } = source
  const { rows, files, secret } = source.state
  const tables = (await unpackArchive(await readFile(quiet))).flatMap(
    ({ name }) => /^rows\/(.*)\.ndjson/.exec(name)?.[1] ?? [],
  )
  expect(tables.sort()).toEqual(Object.keys(omitExcludedTables(rows)).sort())
  for (const table of ['post', 'quote', 'paste', 'image_share', 'event', 'spent_captcha', 'program', 'user', 'job']) {
    expect(rows[table]?.length, table).toBeGreaterThan(0)
  }

  const first = await freshFolder()
  expect(await runCommand(first, ['restore', quiet], '', env)).toMatchObject({ code: 0 })
  const restored = await captureState(first)
  expect(omitExcludedTables(restored.rows)).toEqual(expectedAfterRestore(rows))
  expect(restored.files).toEqual(files)
  expect(restored.secret).toEqual(secret)
  for (const table of ['session', 'known_network', 'allowance']) expect(restored.rows[table]).toEqual([])
  for (const table of ['stored_bytes', 'post_search']) expect(restored.rows[table]).toEqual(rows[table])
  if (embedded) return

  const back = join(source.folder, 'back.tgz')
  expect(await runCommand(first, ['backup', back])).toMatchObject({ code: 0 })
  const second = await place()
  expect(await runCommand(second, ['restore', back])).toMatchObject({ code: 0 })
  const grown = await captureState(second)
  expect(omitExcludedTables(grown.rows)).toEqual(expectedAfterRestore(rows))
  expect(grown.files).toEqual(files)
  const site = await spawnSite(second)
  await looksAlike(site)
  await site.stop()
})

test.runIf(isDeep)('restores the same data from standard input and leaves no temporary file', async () => {
  const archive = await readFile(source.quiet)
  const piped = await freshFolder()
  expect(await runCommand(piped, ['restore', '-'], archive, env)).toMatchObject({ code: 0 })
  expect(omitExcludedTables((await captureState(piped)).rows)).toEqual(expectedAfterRestore(source.state.rows))
  expect((await readdir(piped.dataDir)).filter((name) => name.startsWith('.backup'))).toEqual([])
  const cutOff = await runCommand(piped, ['restore', '-', '--replace'], archive.subarray(0, -100), env)
  expect(cutOff).toMatchObject({ code: 1, output: expect.stringMatching(/^Cannot restore standard input: /) })
  expect((await readdir(piped.dataDir)).filter((name) => name.startsWith('.backup'))).toEqual([])
})

bothTest('changes nothing for an unusable backup, and restores rows of this and an older version', async () => {
  const target = await place()
  const useSite = (sql: QueryRunner) =>
    sql.unsafe(`insert into board (id, name, description) values ('used', 'Used', 'x')`)
  const rows = await withDatabase(target, (sql) => useSite(sql).then(() => readRows(sql)))
  await mkdir(join(target.dataDir, 'uploads', 'ab'), { recursive: true })
  await writeFile(join(target.dataDir, 'uploads', 'ab', 'abc.png'), 'a picture')
  const files = await hashUploads(target)

  expect(await runCommand(target, ['restore', source.quiet], '', env)).toEqual({
    code: 1,
    output: 'Cannot restore: the site already has data. --replace overwrites it, and all current data is lost\n',
  })
  const cut = join(source.folder, 'cut.tgz')
  await writeFile(cut, (await readFile(source.quiet)).subarray(0, -200))
  const refused = await runCommand(target, ['restore', cut, '--replace'], '', env)
  expect(refused.output).toMatch(/^Cannot restore \S+cut\.tgz: cannot unpack it: unexpected end of file\n$/)
  expect(refused.code).toBe(1)
  const replace = (path: string, key = secretKey) =>
    restore(path, { ...target, secretKey: key }, { ...options, replace: true })
  await expect(replace(source.quiet, 'the secret of another site, long enough')).rejects.toThrow(
    /^it was made with another SECRET_KEY/,
  )
  const orphans = await edited('orphans.tgz', (all) =>
    all.map((entry) => (entry.name === 'rows/thread.ndjson' ? { ...entry, content: Buffer.alloc(0) } : entry)),
  )
  await expect(replace(orphans)).rejects.toThrow(/^the rows of post are invalid: .*foreign key/)
  expect(await hashUploads(target)).toEqual(files)
  expect(await readSecretKey(target)).toBeNull()

  const database = await openForRestore(target)
  cleanups.push(database.close)
  expect(await readRows(database.sql)).toEqual(rows)
  /** Loads an archive, returns the result of `look`, and rolls back. */
  const loaded = async <T>(path: string, look: (tx: QueryRunner) => Promise<T>): Promise<T> => {
    const { manifest } = await verifyArchive(path, options)
    let seen: T | undefined
    const undone = database.sql.begin(async (tx) => {
      await restoreRows(tx, path, manifest, options)
      seen = await look(tx)
      throw new Error('looked at')
    })
    await undone.catch((error) => {
      if (error.message !== 'looked at') throw error
    })
    return seen as T
  }
  const withJobs = (columns: string[], rows: string, migration: number) =>
    edited(`${migration}.tgz`, (all) =>
      editJsonEntry<Manifest>(all, 'manifest.json', (manifest) => ({
        ...manifest,
        migration,
        tables: manifest.tables.map((table) => (table.name === 'job' ? { ...table, columns } : table)),
      })).map((entry) => (entry.name === 'rows/job.ndjson' ? { ...entry, content: Buffer.from(rows) } : entry)),
    )

  const older = await withJobs(['name', 'started_at'], '["news","2026-01-01 00:00:00+00"]\n', 1_795_296_200_827)
  const jobs = await loaded(older, async (tx) => (await readRows(tx)).job?.map((row) => JSON.parse(row)))
  expect(jobs).toEqual([
    { name: 'news', started_at: expect.any(String), leased_until: null, ended_at: null, failures: 0, runs: [] },
  ])
  const wrong = await withJobs(['name', 'started_at'], '["news","then"]\n', 1)
  await expect(loaded(wrong, readRows)).rejects.toThrow(/rows of job are invalid: invalid input syntax.*then/)

  type Numbers = Record<'post' | 'event' | 'newest' | 'told', number>
  const numbers = async (tx: QueryRunner) => {
    const [row] = await tx.unsafe<Numbers[]>(`select nextval('post_number')::int as post,
      nextval('event_id_seq')::int as event, (select max(id)::int from post) as newest,
      (select max(id)::int from event) as told`)
    return row as Numbers
  }
  expect(omitExcludedTables(await loaded(source.quiet, readRows))).toEqual(expectedAfterRestore(source.state.rows))
  const fresh = await loaded(source.quiet, numbers)
  expect(fresh.post).toBeGreaterThan(fresh.newest)
  expect(fresh.post).toBeLessThan(fresh.newest + 1000)
  // Open pages can have seen events newer than the backup, so new event ids start much higher.
  expect(fresh.event).toBeGreaterThan(fresh.told + 100_000)
  await database.sql`select setval('post_number', 50000000)`
  expect((await loaded(source.quiet, numbers)).post).toBe(50_000_001)
})

// The embedded database allows no writes during a backup, so this test needs PostgreSQL.
test.skipIf(embedded)('excludes rows written after the snapshot began', async () => {
  const target = await place()
  const [reader, writer] = [await openForBackup(target), await openForRestore(target)]
  cleanups.push(reader.close, writer.close)
  const writeThread = (sql: QueryRunner, id: number) =>
    sql.unsafe(`
      insert into thread (id, board_id, title, last_activity) values (${id}, 'b', 'title', now());
      insert into post (id, thread_id, author, content, created_at) values (${id}, ${id}, 'a', 'b', now())`)
  await writer.sql`insert into board (id, name, description) values ('b', 'B', '')`
  await writeThread(writer.sql, 1)
  const [locked, threadsRead] = [createDeferred(), createDeferred()]
  const written = writer.sql.begin(async (tx) => {
    await tx`lock table post in access exclusive mode`
    locked.resolve()
    await threadsRead.promise
    await writeThread(tx, 2)
  })
  await locked.promise
  const progress = (line: string) => line.endsWith('of thread') && threadsRead.resolve()
  const snapshot = await takeSnapshot(reader.sql, target.dataDir, { ...options, progress })
  await written
  await snapshot.spool.close()
  expect(snapshot.tables.find(({ name }) => name === 'post')?.rows).toBe(1)
})

test('fails when there is no site to back up', async () => {
  const nowhere = join(source.folder, 'nowhere')
  await mkdir(nowhere)
  const file = join(source.folder, 'none.tgz')
  const { code, output } = await runCommand({ dataDir: nowhere }, ['backup', file])
  expect([code, output]).toEqual([1, `Cannot back up: there is no site in ${nowhere}. Check DATA_DIR\n`])
  expect(await readdir(nowhere)).toEqual([])
  expect((await readdir(source.folder)).filter((name) => name.startsWith('none'))).toEqual([])
})

test('names a file that cannot be read or written, and says what to check', async () => {
  const missing = join(source.folder, 'no such folder', 'site.backup')
  const run = async (...command: string[]) => {
    const { code, output } = await runCommand(source.at, command, '', env)
    return [code, output.split('\n').filter(Boolean).at(-1)]
  }
  expect(await run('restore', missing)).toEqual([
    1,
    `Cannot read ${missing}: no such file or directory. Check the path of the backup`,
  ])
  expect(await run('restore', source.folder)).toEqual([
    1,
    `Cannot read ${source.folder}: illegal operation on a directory. Check the path of the backup`,
  ])
  expect(await run('backup', missing)).toEqual([
    1,
    `Cannot write ${missing}: no such file or directory. Check that its folder exists and may be written to`,
  ])
})

test.skipIf(embedded && !isDeep)(
  'all commands reject data of a newer version in one line and leave it unchanged',
  async () => {
    const newer = await place()
    const file = join(source.folder, 'newer.tgz')
    const refused = { code: 1, output: 'The data was made by a newer version of this program: use that version\n' }
    const expectRefusals = async (...commands: string[][]) => {
      for (const command of commands) expect(await runCommand(newer, command, '', env), command[0]).toEqual(refused)
    }
    await mkdir(join(newer.dataDir, 'uploads'))
    const database = await openForRestore(newer)
    await database.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`
    // The first two commands run while the database is open, as on a running site.
    await expectRefusals(['users', 'list'], ['backup', file])
    await database.close()
    await expectRefusals(['restore', source.quiet, '--replace'])
    if (embedded) {
      await writeFile(join(newer.dataDir, 'db', 'PG_VERSION'), '99\n')
      await expectRefusals(['main'], ['backup', file])
    }
    expect((await readdir(newer.dataDir)).sort()).toEqual(embedded ? ['db', 'uploads'] : ['uploads'])
    expect(await readdir(join(newer.dataDir, 'uploads'))).toEqual([])
    expect((await readdir(source.folder)).filter((name) => name.startsWith('newer'))).toEqual([])
  },
)
