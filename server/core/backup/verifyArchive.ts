import { newestMigration } from '#db/migrate.server.ts'
import { ArchiveError, type End, type Manifest, parseRow } from './format.ts'
import { readArchive } from './readArchive.ts'
import { backedUpTables, type SiteTable } from './tables.ts'

export type VerifiedArchive = { manifest: Manifest; secret: string | null; end: End }

type Options = { signal: AbortSignal; progress: (line: string) => void; tables?: SiteTable[] }

/**
 * Reads a whole archive before it is restored.
 * @throws ArchiveError when it is damaged, from a newer version, or has unknown tables or columns
 */
export async function verifyArchive(path: string, options: Options): Promise<VerifiedArchive> {
  let manifest: Manifest | undefined
  let secret: string | null = null
  let end: End | undefined
  let rows = 0
  let files = 0
  const filled = new Set<string>()
  for await (const part of readArchive(path)) {
    options.signal.throwIfAborted()
    if (part.kind === 'manifest') {
      manifest = part.manifest
      rejectUnknownColumns(manifest, options.tables ?? backedUpTables)
    } else if (part.kind === 'secret') secret = part.secret
    else if (part.kind === 'rows') {
      filled.add(part.table)
      for await (const line of part.lines) {
        if (parseRow(line)?.length !== part.columns.length) throw new ArchiveError(`A row of ${part.table} is damaged`)
        rows++
      }
    } else if (part.kind === 'file') {
      files++
      options.progress(`Checking: ${files.toLocaleString('en')} files`)
    } else {
      if (part.end.sha256 !== part.sha256) throw new ArchiveError('Its checksum is wrong')
      end = part.end
    }
  }
  if (!manifest || !end) throw new ArchiveError('It is cut off')
  const empty = manifest.tables.find(({ name }) => !filled.has(name))
  if (empty) throw new ArchiveError(`The rows of ${empty.name} are missing`)
  if (end.rows !== rows || end.files !== files) throw new ArchiveError('It holds less than it says')
  return { manifest, secret, end }
}

/** A column that the archive lacks gets its default. */
function rejectUnknownColumns(manifest: Manifest, tables: SiteTable[]): void {
  const newest = newestMigration()
  if (manifest.migration > newest) throw new ArchiveError('The backup was made by a newer version of this program')
  for (const { name, columns } of manifest.tables) {
    const known = tables.find((table) => table.name === name)
    const unknown = known ? columns.find((column) => !known.columns.includes(column)) : name
    const twice = columns.length !== new Set(columns).size || manifest.tables.filter((t) => t.name === name).length > 1
    if (twice) throw new ArchiveError(`It names something of ${JSON.stringify(name)} twice`)
    if (!unknown) continue
    const older = manifest.migration < newest
    throw new ArchiveError(
      older
        ? `This version knows no ${JSON.stringify(unknown)} any more: restore it with version ${manifest.version}, then upgrade`
        : `There is no ${JSON.stringify(unknown)} in a site`,
    )
  }
}
