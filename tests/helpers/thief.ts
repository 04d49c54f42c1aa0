import { createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openDatabase } from '#db/client.server.ts'
import { createBackup } from '#server/core/backup/backup.ts'
import type { SiteLocation } from '#server/core/backup/secret.ts'
import { hashVisitor } from '#server/core/http/visitors.ts'
import { networksOf } from '#server/core/limits/networks.ts'
import { dailyKey } from '#server/core/limits/rateLimits.ts'
import { deriveSecrets } from '#server/core/security/secrets.ts'
import { hashOrigin } from '#server/features/moderation/origins/origins.ts'

/** Everything that a thief copies from a site. */
export type Loot = { folder: Buffer; dump: Buffer; backup: Buffer; keys: Uint8Array[] }

/** Copies the data folder, a dump of all tables and a backup. Then takes all keys of epochs from the dump. */
export async function stealSite(site: SiteLocation, out: string): Promise<Loot> {
  await createBackup(site, { out: createWriteStream(out), signal: new AbortController().signal, progress: () => {} })
  const folder = await readFolder(site.dataDir)
  const database = await openDatabase({ ...site, mode: 'command' })
  try {
    const tables = await database.sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`
    const rows: string[] = []
    // Statistics contain samples of columns.
    for (const name of [...tables.map((table) => `"${table.name}"`), 'pg_stats']) {
      const found = await database.sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)
      rows.push(...found.map(({ row }) => row))
    }
    const keys = await database.sql<{ key: Buffer }[]>`select key from origin_epoch`
    const dump = Buffer.from(rows.join('\n'))
    return { folder, dump, backup: gunzipSync(await readFile(out)), keys: keys.map(({ key }) => key) }
  } finally {
    await database.close()
  }
}

async function readFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))))
}

type Knowledge = { secret: string; address: string; userAgent: string; day: Date }

const LIMITS = ['post', 'thread', 'upload', 'paste', 'captcha', 'store image', 'store paste']

/** Lists what tells a thief, who knows the secret, that this address posted on this day. */
export function findTraces({ keys, ...places }: Loot, { secret, address, userAgent, day }: Knowledge): string[] {
  const secrets = deriveSecrets(secret)
  const now = () => day
  const traces: { name: string; bytes: Uint8Array }[] = [{ name: 'address', bytes: Buffer.from(address) }]
  for (const key of keys) {
    const hashes = hashOrigin(key, address)
    if (hashes) traces.push({ name: 'host', bytes: hashes.host }, { name: 'range', bytes: hashes.range })
  }
  for (const { key } of networksOf(address)) {
    for (const limit of LIMITS)
      traces.push({ name: limit, bytes: Buffer.from(dailyKey({ secrets, now }, `${limit} ${key}`)) })
  }
  const visitor = hashVisitor({ ip: address, headers: { 'user-agent': userAgent } }, secrets.visitors, day)
  traces.push({ name: 'visitor', bytes: Buffer.from(visitor) })
  return Object.entries(places).flatMap(([place, bytes]) =>
    traces.filter((trace) => includesBytes(bytes, trace.bytes)).map(({ name }) => `${name} in ${place}`),
  )
}

/** Finds bytes as they are, and as PostgreSQL and JSON write them. */
export const includesBytes = (where: Buffer, bytes: Uint8Array): boolean =>
  where.includes(Buffer.from(bytes)) || where.includes(Buffer.from(bytes).toString('hex'))
