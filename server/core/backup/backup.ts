import { readFile } from 'node:fs/promises'
import { openForBackup } from '#db/maintenance.server.ts'
import { packageRoot } from '#db/migrate.server.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import { type ArchiveEnd, createManifest } from './format.ts'
import { readSiteSecret, type SiteLocation } from './secret.ts'
import { takeSnapshot } from './snapshot.ts'
import { type WriteOptions, writeArchive } from './writeArchive.ts'

/** `readMs`: time to read all rows. The embedded database blocks the site during this time. */
type Done = ArchiveEnd & { readMs: number; hasSecret: boolean }

export async function createBackup(location: SiteLocation, { out, signal, progress }: WriteOptions): Promise<Done> {
  const database = await openForBackup(location)
  const madeAt = new Date().toISOString()
  const readSite = async () => {
    const secret = await readSiteSecret(location)
    // A crash while the backup reads then replays little.
    if (database.kind === 'embedded') await database.sql`checkpoint`
    return { secret, snapshot: await takeSnapshot(database.sql, location.dataDir, { signal, progress }) }
  }
  const { secret, snapshot } = await readSite().finally(database.close)
  try {
    const manifest = createManifest({
      version: JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8')).version,
      madeAt,
      database: database.kind,
      migration: snapshot.migration,
      secret: secret.fingerprint,
      tables: snapshot.tables.map(({ name, columns }) => ({ name, columns })),
      sequences: snapshot.sequences,
    })
    const files = openFileStore(location)
    const end = await writeArchive({ manifest, secret: secret.generated, snapshot, files }, { out, signal, progress })
    return { ...end, readMs: snapshot.durationMs, hasSecret: secret.generated !== null }
  } finally {
    await snapshot.spool.close()
  }
}
