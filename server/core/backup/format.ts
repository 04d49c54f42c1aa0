import { z } from 'zod'
import { isFileName } from '#server/core/storage/fileStore.ts'

/** Increases with each change that older versions would misread, so that they reject the archive. */
const FORMAT = 1

export const entryNames = {
  manifest: 'manifest.json',
  secret: 'secret.key',
  rows: (table: string) => `rows/${table}.ndjson`,
  file: (name: string) => `files/${name}`,
  end: 'end.json',
}

/** Limits memory use, because archives may be hostile. */
export const maxBytes = { manifest: 1_000_000, secret: 10_000, line: 20_000_000, file: 100_000_000, end: 10_000 }

export class ArchiveError extends Error {}

export type RunOptions = { signal: AbortSignal; progress: (line: string) => void }

export const NEWER_BACKUP = 'a newer version of this program made the backup. Upgrade this program first'

const name = z.string().min(1).max(63)

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  program: z.literal('dtp-site'),
  version: z.string().max(50),
  madeAt: z.iso.datetime(),
  database: z.enum(['embedded', 'postgres']),
  /** creation time of the newest migration, in ms */
  migration: z.number().int(),
  /** fingerprint of the secret */
  secret: z.string().regex(/^[0-9a-f]{32}$/),
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1).max(500) })).max(500),
  sequences: z.array(z.strictObject({ name, value: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() })).max(500),
})
/** The first entry of an archive. Each row in later entries is an array of PostgreSQL's text values or null. */
export type Manifest = z.infer<typeof manifestSchema>

const endSchema = z.strictObject({
  rows: z.number().int().nonnegative(),
  files: z.number().int().nonnegative(),
  /** number of files that were deleted during the backup */
  gone: z.number().int().nonnegative(),
  /** SHA-256 over the name, size and content of all other entries */
  sha256: z.string(),
})
/** The last entry of an archive. If it is missing, the archive is truncated. */
export type ArchiveEnd = z.infer<typeof endSchema>

export const createManifest = (manifest: Omit<Manifest, 'format' | 'program'>): Manifest => ({
  format: FORMAT,
  program: 'dtp-site',
  ...manifest,
})

/** @throws ArchiveError if the manifest is invalid or has a newer format */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text)
  const { format } = z.looseObject({ format: z.number() }).catch({ format: 0 }).parse(value)
  if (format > FORMAT) throw new ArchiveError(NEWER_BACKUP)
  return parse(manifestSchema, value, entryNames.manifest)
}

export const parseEnd = (text: string): ArchiveEnd => parse(endSchema, parseJson(text), entryNames.end)

export function parseRow(line: string): (string | null)[] | null {
  const value = parseJson(line)
  const isRow = Array.isArray(value) && value.every((cell) => cell === null || typeof cell === 'string')
  return isRow ? value : null
}

export function parseEntryName(entryName: string): { table: string } | { file: string } | null {
  const table = /^rows\/([a-z_]{1,63})\.ndjson$/.exec(entryName)?.[1]
  if (table) return { table }
  const file = entryName.startsWith('files/') ? entryName.slice('files/'.length) : ''
  return isFileName(file) ? { file } : null
}

function parse<T>(schema: z.ZodType<T>, value: unknown, entry: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ArchiveError(
    `it is not a backup of this program: ${[entry, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
