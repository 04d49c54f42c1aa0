import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { createManifest } from '#server/core/backup/format.ts'
import { restore } from '#server/core/backup/restore.ts'
import { fingerprintOf } from '#server/core/backup/secret.ts'
import { packWithValidDigest } from '#tests/helpers/backupArchive.ts'
import { testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'

const SECRET = 'a secret that only tests know, long enough'
const AT = '2026-11-01 10:00:00+00'
/** Before held and removed posts got a state. */
const OLDER_MIGRATION = 1_795_896_199_931

type Table = { columns: string[]; rows: (string | number | null)[][] }

const [UNSOLVED, UNKNOWN, ALIKE] = ['No proof of work', 'Raid: unknown network', 'looks like a blocked image']
const [RAID, GONE] = ['Posts of a raid wait for a review', 'Deleted on the old site']
const IMAGE = JSON.stringify({ name: 'a.png', bytes: 7, preview: { name: 'b.png' }, display: { name: 'c.png' } })
const tables: Record<string, Table> = {
  board: { columns: ['id', 'name', 'description'], rows: [['tech', 'Tech', 'about']] },
  thread: {
    columns: ['id', 'board_id', 'title', 'last_activity', 'comment_count', 'deleted_at'],
    rows: [
      [1, 'tech', 'Shown', AT, 1, null],
      [10, 'tech', '', AT, 0, AT],
    ],
  },
  post: {
    columns: ['id', 'thread_id', 'author', 'content', 'created_at'],
    rows: [
      [1, 1, 'me', 'opening', AT],
      [2, 1, 'me', '>>10 and >>3', AT],
    ],
  },
  moderation_log: {
    columns: ['id', 'at', 'action', 'role', 'board_id', 'reason'],
    rows: [
      [5, AT, 'delete', 'admin', 'tech', RAID],
      [6, AT, 'switch-on', 'site', null, RAID],
      [7, AT, 'delete', 'site', 'tech', GONE],
    ],
  },
  withheld_post: {
    columns: [
      ...[
        'id',
        'board_id',
        'thread_id',
        'parent_id',
        'title',
        'author',
        'content',
        'created_at',
        'withheld_at',
        'log_id',
      ],
      ...['held_for', 'was_held_for', 'image_id', 'image', 'release_at'],
    ],
    rows: [
      [3, 'tech', 1, null, null, 'me', '>>1 held', AT, AT, null, 'Filter No. 7: a: b', null, null, null, AT],
      [4, 'tech', 1, 99, null, 'me', 'its comment was erased', AT, AT, null, UNSOLVED, null, null, null, null],
      [10, 'tech', 10, null, 'Removed', 'me', 'words', AT, AT, 5, null, null, 'a', IMAGE, null],
      [11, 'tech', 10, null, null, 'me', 'nobody reviewed it', AT, AT, 5, null, UNKNOWN, null, null, null],
      [20, 'tech', 20, null, 'Waits', 'me', 'words', AT, AT, null, ALIKE, null, null, null, null],
    ],
  },
  removed_quote: { columns: ['from_id', 'to_id'], rows: [[2, 10]] },
}

const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** A released migration never changes, so its test runs on one database on a push. */
const migrationTest = test.runIf(isDeep || inject('database') === 'postgres')

migrationTest('restores posts that had a table of their own, with reasons that were English texts', async () => {
  const place = await testDatabase()
  cleanups.push(place.cleanup)
  const manifest = createManifest({
    version: '0.1.0',
    madeAt: '2026-11-01T10:00:00.000Z',
    database: 'embedded',
    migration: OLDER_MIGRATION,
    secret: fingerprintOf(SECRET),
    tables: Object.entries(tables).map(([name, { columns }]) => ({ name, columns })),
    sequences: [{ name: 'post_number', value: '20', called: true }],
  })
  const path = join(await mkdtemp(join(tmpdir(), 'dtp-test-')), 'old.tgz')
  const lines = ({ rows }: Table) =>
    rows.map((row) => `${JSON.stringify(row.map((cell) => (cell === null ? null : String(cell))))}\n`).join('')
  const entries = [
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    { name: 'secret.key', content: Buffer.from(SECRET) },
    ...Object.entries(tables).map(([name, table]) => ({
      name: `rows/${name}.ndjson`,
      content: Buffer.from(lines(table)),
    })),
  ]
  await writeFile(path, await packWithValidDigest(entries))
  const current = await openDatabase(place)
  await current.db.execute(sql`alter function recount_stored() cost 7`)
  await current.close()
  const { signal } = new AbortController()
  await restore(path, place, { replace: true, otherSecret: false, signal, progress: () => {}, print: () => {} })

  const { db, close } = await openDatabase(place)
  cleanups.unshift(close)
  const posts = await db.execute(
    sql`select id::int, state, held_for, log_id::int, parent_id::int from post order by id`,
  )
  expect([...posts].map((row) => Object.values(row))).toEqual([
    [1, 'live', null, null, null],
    [2, 'live', null, null, null],
    [3, 'held', 'filter 7: a: b', null, null],
    [4, 'held', 'unsolved', null, 99],
    [10, 'removed', null, 5, null],
    [11, 'removed', 'raid', 5, null],
    [20, 'held', 'image', null, null],
    [99, 'erased', null, null, null],
  ])
  const reasons = await db.execute(sql`select reason from moderation_log order by id`)
  expect([...reasons]).toEqual([{ reason: RAID }, { reason: 'raid' }, { reason: 'gone' }])
  const threads = await db.execute(sql`select id::int, title, deleted_at is null as shown from thread order by id`)
  expect([...threads]).toEqual([
    { id: 1, title: 'Shown', shown: true },
    { id: 10, title: 'Removed', shown: false },
    { id: 20, title: 'Waits', shown: false },
  ])
  expect([...(await db.execute(sql`select from_id::int, to_id::int from quote`))]).toEqual([{ from_id: 2, to_id: 10 }])
  expect([...(await db.execute(sql`select post_id::int as id from post_search order by 1`))]).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  expect([...(await db.execute(sql`select bytes::int from stored_bytes where kind = 'image'`))]).toEqual([{ bytes: 7 }])
  expect([...(await db.execute(sql`select to_regclass('withheld_post') as found`))]).toEqual([{ found: null }])
  // The migration's functions may be older than those of the site.
  const functions = await db.execute(sql`select procost from pg_proc where proname = 'recount_stored'`)
  expect([...functions]).toEqual([{ procost: 7 }])
})
