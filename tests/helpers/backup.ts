import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type MaintenanceDatabase, openForBackup } from '#db/maintenance.server.ts'
import { formOf } from './calls.ts'
import { still } from './pictures.ts'
import { ADMIN, json, openThread, post, type SiteProcess } from './process.ts'

export type Rows = Record<string, string[]>
export type Query = Pick<MaintenanceDatabase['sql'], 'unsafe'>
export type Place = { dataDir: string; databaseUrl?: string }

/** Asks the database of a site, running or not. */
export async function withDatabase<T>(at: Place, use: (sql: MaintenanceDatabase['sql']) => Promise<T>): Promise<T> {
  const database = await openForBackup(at)
  return use(database.sql).finally(database.close)
}

/** Every row of every table there is, asked of the database and not of the schema. */
export async function rowsIn(sql: Query): Promise<Rows> {
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

/** Name and content of every upload. */
export async function filesOf({ dataDir }: Place): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sum = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  return (await Promise.all(files.map(async (f) => `${f.name} ${await sum(join(f.parentPath, f.name))}`))).sort()
}

/** Text of secret.key; null where there is none. */
export const secretOf = ({ dataDir }: Place) => readFile(join(dataDir, 'secret.key'), 'utf8').catch(() => null)
/** Everything a site has on disk and in its database. */
export const stateOf = async (at: Place) => ({
  rows: await withDatabase(at, rowsIn),
  files: await filesOf(at),
  secret: await secretOf(at),
})

/** What a backup keeps. */
export function kept(rows: Rows): Rows {
  const { session, known_network: networks, allowance, stored_bytes: stored, ...others } = rows
  for (const table of [session, networks, allowance, stored]) expect(table).toBeDefined()
  return others
}

/** Leases end with the process that had them. */
export const asRestored = (rows: Rows): Rows => ({
  ...kept(rows),
  job: (rows.job ?? []).map((row) => row.replace(/"leased_until": "[^"]*"/, '"leased_until": null')).sort(),
})

/** A picture to upload. */
export const png = async () =>
  new File([new Uint8Array(await still(300, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
/** A call that sends JSON. */
export const jsonCall = (origin: string, path: string, body: object) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Everything a site keeps; texts that are hard to carry among it. */
export async function fill(site: SiteProcess) {
  const { threads, threadId } = await openThread(site.origin, 'Kept')
  const comments = `${threads}/${threadId}/comments`
  const { comment } = await post(site.origin, comments, {
    content: `>>${threadId} "ünï\\" \t\u2028 '; 😀`,
    image: await png(),
  })
  await post(site.origin, `${comments}/${comment.id}/replies`, { content: 'a reply' })
  const paste = await json(
    await jsonCall(site.origin, '/api/paste', {
      content: 'only who has the link\0',
      expiryHours: 24,
    }),
  )
  const share = await json(
    await fetch(`${site.origin}/api/image-share`, {
      method: 'POST',
      body: formOf({ image: await png(), expiryHours: '24' }),
    }),
  )
  const login = await json(await jsonCall(site.origin, '/api/dtpchan/admin/login', ADMIN))
  expect([paste.success, share.success, login.success]).toEqual([true, true, true])
  return { threads, threadId, comment, paste, share, token: login.token as string, path: comments }
}

/** Writes from several hands until told to stop; gives the numbers of what was acknowledged. */
export function startWriters(origin: string, path: string, image: File) {
  const acknowledged: number[] = []
  let stopped = false
  const write = async (writer: number) => {
    for (let number = 0; !stopped; number++) {
      const answer = await post(origin, path, {
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
