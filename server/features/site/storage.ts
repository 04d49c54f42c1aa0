import { sql } from 'drizzle-orm'
import { storedBytes } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { Storage, StoredKind } from '#src/contract/operations.ts'
import { readBackups } from './backups.ts'

/** Compares the stored bytes with the quotas. */
export async function readStoredKinds({ db, config }: Pick<Services, 'db' | 'config'>): Promise<StoredKind[]> {
  const rows = await db.select().from(storedBytes)
  const bytesOf = (kind: string) => rows.find((row) => row.kind === kind)?.bytes ?? 0
  return (['image', 'paste'] as const).map((kind) => ({
    kind,
    bytes: bytesOf(kind),
    quota: config.limits.storage[kind].total,
  }))
}

/** Returns null if the system does not report the free space. */
export async function readFreeDiskBytes({ diskSpace }: Pick<Services, 'diskSpace'>): Promise<number | null> {
  const free = await diskSpace()
  return Number.isFinite(free) ? free : null
}

/** Reads the size of every file, which takes seconds for a store of many thousands of files. */
export async function readStorage(services: Services): Promise<Storage> {
  const [stored, freeDiskBytes, backups, [database]] = await Promise.all([
    readStoredKinds(services),
    readFreeDiskBytes(services),
    readBackups(services),
    services.db.execute<{ bytes: number }>(sql`select pg_database_size(current_database())::float8 as bytes`),
  ])
  const files = { count: 0, bytes: 0 }
  for await (const { size } of services.files.list()) {
    files.count++
    files.bytes += size
  }
  return { stored, files, freeDiskBytes, databaseBytes: database?.bytes ?? 0, backups }
}
