import { newestMigration } from '#db/migrate.server.ts'
import { type ArchiveEnd, ArchiveError, type Manifest, NEWER_BACKUP, parseRow, type RunOptions } from './format.ts'
import { movedTables } from './olderForms.ts'
import { type ArchiveSource, readArchive } from './readArchive.ts'
import { backedUpTables } from './tables.ts'

export type VerifiedArchive = { manifest: Manifest; secret: string | null; end: ArchiveEnd }

/** @throws ArchiveError if the archive is damaged, from a newer version, or has unknown tables or columns */
export async function verifyArchive(source: ArchiveSource, options: RunOptions): Promise<VerifiedArchive> {
  let manifest: Manifest | undefined
  let secret: string | null = null
  let end: ArchiveEnd | undefined
  let rows = 0
  let files = 0
  const tablesWithRows = new Set<string>()
  for await (const part of readArchive(source)) {
    options.signal.throwIfAborted()
    if (part.kind === 'manifest') {
      manifest = part.manifest
      rejectUnknownColumns(manifest)
    } else if (part.kind === 'secret') secret = part.secret
    else if (part.kind === 'rows') {
      tablesWithRows.add(part.table)
      for await (const line of part.lines) {
        options.signal.throwIfAborted()
        if (parseRow(line)?.length !== part.columns.length) throw new ArchiveError(`a row of ${part.table} is damaged`)
        rows++
      }
    } else if (part.kind === 'file') {
      files++
      options.progress(`Checking: ${files.toLocaleString('en')} files`)
    } else {
      if (part.end.sha256 !== part.sha256) throw new ArchiveError('its checksum is wrong')
      end = part.end
    }
  }
  if (!manifest || !end) throw new ArchiveError('it is truncated')
  const empty = manifest.tables.find(({ name }) => !tablesWithRows.has(name))
  if (empty) throw new ArchiveError(`the rows of ${empty.name} are missing`)
  if (end.rows !== rows || end.files !== files) throw new ArchiveError('the numbers of its rows and files are wrong')
  return { manifest, secret, end }
}

/** Rejects columns that this version does not know. Columns that the archive does not have get their default. */
function rejectUnknownColumns(manifest: Manifest): void {
  const newest = newestMigration()
  if (manifest.migration > newest) throw new ArchiveError(NEWER_BACKUP)
  for (const { name, columns } of manifest.tables) {
    const knownTable = [...backedUpTables, ...movedTables].find((table) => table.name === name)
    const unknown = knownTable ? columns.find((column) => !knownTable.columns.includes(column)) : name
    const isListedTwice =
      columns.length !== new Set(columns).size || manifest.tables.filter((t) => t.name === name).length > 1
    if (isListedTwice) throw new ArchiveError(`${JSON.stringify(name)} or one of its columns is listed twice`)
    if (!unknown) continue
    throw new ArchiveError(
      manifest.migration < newest
        ? `this version no longer has ${JSON.stringify(unknown)}. Restore with version ${manifest.version}, then upgrade`
        : `unknown table or column ${JSON.stringify(unknown)}`,
    )
  }
}
