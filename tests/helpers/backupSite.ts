import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type MaintenanceDatabase, openForBackup } from '#db/maintenance.server.ts'
import { toFormData } from './apiCalls.ts'
import { stillImage } from './sampleImages.ts'
import { createBoardWithThread, postForm } from './siteClient.ts'
import { ADMIN, readJson, type SiteProcess } from './siteProcess.ts'

export type Rows = Record<string, string[]>
export type QueryRunner = Pick<MaintenanceDatabase['sql'], 'unsafe'>
export type SiteLocation = { dataDir: string; databaseUrl?: string }

/** Runs queries on a site's database, whether or not the site is running. */
export async function withDatabase<T>(
  at: SiteLocation,
  use: (sql: MaintenanceDatabase['sql']) => Promise<T>,
): Promise<T> {
  const database = await openForBackup(at)
  return use(database.sql).finally(database.close)
}

/** Returns all rows of all tables in the database, even of tables that are not in the schema. */
export async function readRows(sql: QueryRunner): Promise<Rows> {
  await sql.unsafe("set timezone to 'UTC'")
  const tables = await sql.unsafe<{ name: string }[]>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const rows: Rows = {}
  for (const { name } of tables) {
    const found = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from "${name}" t`)
    rows[name] = found.map(({ row }) => row).sort()
  }
  return rows
}

/** Returns the names and hashes of all uploads. */
export async function hashUploads({ dataDir }: SiteLocation): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sum = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  return (await Promise.all(files.map(async (f) => `${f.name} ${await sum(join(f.parentPath, f.name))}`))).sort()
}

/** Returns the content of secret.key; null if it does not exist. */
export const readSecretKey = ({ dataDir }: SiteLocation) =>
  readFile(join(dataDir, 'secret.key'), 'utf8').catch(() => null)
/** Returns all data of a site, on disk and in its database. */
export const captureState = async (at: SiteLocation) => ({
  rows: await withDatabase(at, readRows),
  files: await hashUploads(at),
  secret: await readSecretKey(at),
})

const EXCLUDED_TABLES = [
  'session',
  'known_network',
  'origin',
  'poster_label_key',
  'push_subscription',
  'allowance',
  'attempt',
  'outbox',
  'watcher',
  'watched_thread',
  'watched_post',
  'live_host',
  'post_search',
  'song_request',
  'stored_bytes',
]

/** Returns the rows that a backup includes. The tested sites have no bans, so no key of an epoch is backed up. */
export function omitExcludedTables(rows: Rows): Rows {
  for (const table of EXCLUDED_TABLES) expect(rows[table]).toBeDefined()
  const included = Object.entries(rows).filter(([table]) => !EXCLUDED_TABLES.includes(table))
  return { ...Object.fromEntries(included), origin_epoch: [] }
}

/** Returns the rows that a restore must produce. Job leases are cleared: no process holds them after a restore. */
export const expectedAfterRestore = (rows: Rows): Rows => ({
  ...omitExcludedTables(rows),
  job: (rows.job ?? []).map((row) => row.replace(/"leased_until": "[^"]*"/, '"leased_until": null')).sort(),
})

/** Creates an image to upload. */
export const createPngFile = async (width = 300) =>
  new File([new Uint8Array(await stillImage(width, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
/** Sends a POST request with a JSON body. */
export const postJson = (origin: string, path: string, body: object) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Fills a site with all kinds of data, including texts that are hard to serialise. */
export async function seedSite(site: SiteProcess) {
  const { threads, threadId } = await createBoardWithThread(site.origin, 'Kept')
  const comments = `${threads}/${threadId}/comments`
  const { comment } = await postForm(site.origin, comments, {
    content: `>>${threadId} "ünï\\" \t\u2028 '; 😀`,
    image: [await createPngFile(), await createPngFile(200)],
  })
  await postForm(site.origin, `${comments}/${comment.id}/replies`, { content: 'a reply' })
  const paste = await readJson(
    await postJson(site.origin, '/api/paste', {
      content: 'only who has the link\0',
      expiryHours: 24,
    }),
  )
  const share = await readJson(
    await fetch(`${site.origin}/api/image-share`, {
      method: 'POST',
      body: toFormData({ image: await createPngFile(), expiryHours: '24' }),
    }),
  )
  const login = await readJson(await postJson(site.origin, '/api/dtpchan/admin/login', ADMIN))
  expect([paste.success, share.success, login.success]).toEqual([true, true, true])
  return { threads, threadId, comment, paste, share, token: login.token as string, path: comments }
}

/** Writes concurrently until `stop`; returns the ids of acknowledged posts. */
export function startWriters(origin: string, path: string, image: File) {
  const acknowledged: number[] = []
  let stopped = false
  const write = async (writer: number) => {
    for (let number = 0; !stopped; number++) {
      const answer = await postForm(origin, path, {
        content: `${writer}/${number}`,
        ...(number % 3 === writer && { image }),
      })
      if (answer.success) acknowledged.push(answer.comment.id)
    }
  }
  const writers = Promise.all([0, 1, 2].map(write))
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await writers
    },
  }
}
