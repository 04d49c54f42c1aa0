import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { BucketError } from '#server/core/storage/bucketErrors.ts'
import {
  type ArchiveEnd,
  ArchiveError,
  entryNames,
  type Manifest,
  maxBytes,
  parseEnd,
  parseEntryName,
  parseManifest,
} from './format.ts'

export type Part =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'secret'; secret: string }
  /** `lines` can be read only once, and only before the next part */
  | { kind: 'rows'; table: string; columns: string[]; lines: AsyncGenerator<string> }
  | { kind: 'file'; name: string; read: () => Promise<Buffer> }
  | { kind: 'end'; end: ArchiveEnd; sha256: string }

/** A path, or a function that opens the archive. A restore reads it several times. */
export type ArchiveSource = string | (() => Promise<Readable>)

type Entry = { name: string; size: number; content: AsyncGenerator<Buffer> }

/** Streams an untrusted archive. Keeps at most one line or file in memory. @throws ArchiveError */
export async function* readArchive(source: ArchiveSource): AsyncGenerator<Part> {
  const digest = createHash('sha256')
  let manifest: Manifest | undefined
  let hasFiles = false
  let ended = false
  const seen = new Set<string>()
  for await (const entry of entriesOf(source)) {
    if (ended) throw new ArchiveError(`unexpected entry after the end: ${printable(entry.name)}`)
    const sha256 = entry.name === entryNames.end ? digest.digest('hex') : ''
    const content = sha256 ? entry.content : digested(entry)
    const readAll = (limit: number) => collect(content, entry, limit)
    const part = parseEntryName(entry.name)
    if (!manifest) {
      if (entry.name !== entryNames.manifest)
        throw new ArchiveError(`its first entry is ${printable(entry.name)}, not ${entryNames.manifest}`)
      manifest = parseManifest((await readAll(maxBytes.manifest)).toString())
      yield { kind: 'manifest', manifest }
    } else if (entry.name === entryNames.secret && seen.size === 0) {
      seen.add(entry.name)
      yield { kind: 'secret', secret: (await readAll(maxBytes.secret)).toString().trim() }
    } else if (entry.name === entryNames.end) {
      ended = true
      yield { kind: 'end', end: parseEnd((await readAll(maxBytes.end)).toString()), sha256 }
    } else if (part && 'table' in part) {
      const table = manifest.tables.find(({ name }) => name === part.table)
      if (!table || seen.has(entry.name) || hasFiles)
        throw new ArchiveError(`unexpected entry ${printable(entry.name)}`)
      seen.add(entry.name)
      yield { kind: 'rows', table: table.name, columns: table.columns, lines: linesOf(content) }
    } else if (part) {
      hasFiles = true
      if (entry.size > maxBytes.file) throw new ArchiveError(`entry too large: ${entry.name}`)
      yield { kind: 'file', name: part.file, read: () => readAll(maxBytes.file) }
    } else throw new ArchiveError(`unexpected entry ${printable(entry.name)}`)
    // Reads the rest, because the checksum includes content that the caller did not read.
    for await (const _ of content);
  }
  if (!ended) throw new ArchiveError('it is truncated: its end is missing')

  async function* digested({ name, size, content }: Entry): AsyncGenerator<Buffer> {
    digest.update(`${name}\n${size}\n`)
    for await (const chunk of content) {
      digest.update(chunk)
      yield chunk
    }
  }
}

async function* entriesOf(source: ArchiveSource): AsyncGenerator<Entry> {
  const input = typeof source === 'string' ? createReadStream(source) : await source()
  const tar = extract()
  const reading = pipeline(input, createGunzip(), tar)
  reading.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name, size = 0, type, pax } = entry.header as typeof entry.header & { pax: unknown }
      if (type !== 'file' || pax) throw new ArchiveError(`entry is not a regular file: ${printable(name)}`)
      yield { name, size, content: once(entry as unknown as AsyncIterable<Buffer>) }
    }
    // Waits for the end of the file, because gzip's checksum is there.
    await reading
  } catch (error) {
    throw asArchiveError(error)
  } finally {
    tar.destroy()
    await reading.catch(() => {})
  }
}

/**
 * Wraps a stream in a generator. A second read of a generator ends at once, but a second read of a stream never ends.
 */
async function* once(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry
  } catch (error) {
    throw asArchiveError(error)
  }
}

/** Returns errors of the system and the bucket unchanged, because they do not mean that the archive is bad. */
function asArchiveError(error: unknown): unknown {
  if (error instanceof ArchiveError || error instanceof BucketError || (error as NodeJS.ErrnoException).syscall)
    return error
  return new ArchiveError(`cannot unpack it: ${error instanceof Error ? error.message : error}`)
}

async function collect(content: AsyncIterable<Buffer>, { name, size }: Entry, limit: number): Promise<Buffer> {
  if (size > limit) throw new ArchiveError(`entry too large: ${printable(name)}`)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lineStart: string[] = []
  let length = 0
  for await (const chunk of content) {
    const [first = '', ...others] = decode(decoder, chunk).split('\n')
    lineStart.push(first)
    length += first.length
    if (length > maxBytes.line) throw new ArchiveError('a row is too large')
    const last = others.pop()
    if (last === undefined) continue
    yield lineStart.join('')
    yield* others
    lineStart = [last]
    length = last.length
  }
  if (length > 0) throw new ArchiveError('a row is truncated')
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new ArchiveError('a row is not valid UTF-8')
  }
}

/** Makes a name from an untrusted archive safe to print on a terminal. */
const printable = (name: string) => JSON.stringify(name.slice(0, 100)).replace(/[^\x20-\x7e]/g, '?')
