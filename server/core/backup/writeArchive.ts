import { createHash, type Hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { type FileStore, publicName, withheldName } from '#server/core/storage/fileStore.ts'
import { type ArchiveEnd, entryNames, type Manifest, type RunOptions } from './format.ts'
import type { Snapshot } from './snapshot.ts'
import { readPart } from './writeFile.ts'

/** Low, because images cannot be compressed further and rows compress well at any level. */
const GZIP_LEVEL = 3

/** Each of them is in memory. */
const FILES_AHEAD = 4

type Archive = {
  manifest: Manifest
  /** null if the secret comes from the setting SECRET_KEY */
  secret: string | null
  snapshot: Snapshot
  files: FileStore
}

export type WriteOptions = RunOptions & { out: Writable }

/**
 * Copies the files last: a file is stored before its row, so the files of all copied rows exist (docs/decisions/0010).
 */
export async function writeArchive(archive: Archive, { out, signal, progress }: WriteOptions): Promise<ArchiveEnd> {
  const tar = pack()
  const written = pipeline(tar, createGzip({ level: GZIP_LEVEL }), out, { signal })
  // If writing fails, adding fails too, so the write error is the one to report.
  const [ended, added] = await Promise.allSettled([
    written,
    addAll(tar, archive, progress).catch((error) => {
      tar.destroy(error)
      throw error
    }),
  ])
  if (added.status === 'fulfilled' && ended.status === 'fulfilled') return added.value
  signal.throwIfAborted()
  throw ended.status === 'rejected' ? ended.reason : added.status === 'rejected' && added.reason
}

async function addAll(tar: Pack, { manifest, secret, snapshot, files }: Archive, progress: RunOptions['progress']) {
  const digest = createHash('sha256')
  const add = (name: string, content: string) => addEntry(tar, digest, name, Buffer.byteLength(content), [content])
  await add(entryNames.manifest, `${JSON.stringify(manifest, null, 2)}\n`)
  if (secret) await add(entryNames.secret, `${secret}\n`)
  for (const { name, start, size } of snapshot.tables) {
    await addEntry(tar, digest, entryNames.rows(name), size, readPart(snapshot.spool, start, start + size))
  }
  const end: ArchiveEnd = {
    rows: snapshot.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: 0,
    gone: 0,
    sha256: '',
  }
  for await (const { name, bytes } of readAhead(files)) {
    if (bytes) {
      await addEntry(tar, digest, entryNames.file(name), bytes.length, [bytes])
      end.files++
    } else end.gone++
    progress(`${end.files.toLocaleString('en')} files`)
  }
  end.sha256 = digest.digest('hex')
  const text = `${JSON.stringify(end, null, 2)}\n`
  await addEntry(tar, createHash('sha256'), entryNames.end, Buffer.byteLength(text), [text])
  tar.finalize()
  return end
}

/** Reads the next files while one is packed, because a bucket takes its time for each. */
async function* readAhead(files: FileStore): AsyncGenerator<{ name: string; bytes: Buffer | null }> {
  const reads: ReturnType<typeof readFile>[] = []
  for await (const { name } of files.list()) {
    const read = readFile(files, name)
    // An error is thrown when it is the file's turn.
    read.catch(() => {})
    reads.push(read)
    if (reads.length < FILES_AHEAD) continue
    const next = await reads.shift()
    if (next) yield next
  }
  for (const read of reads) yield await read
}

/** Tries the other name too, because the site may withhold or publish the file after it was listed. */
async function readFile(files: FileStore, name: string): Promise<{ name: string; bytes: Buffer | null }> {
  const file = (await files.read(name)) ?? (await files.read(publicName(name) ?? withheldName(name)))
  return { name, bytes: file && (await buffer(file.content)) }
}

type Content = AsyncIterable<Buffer> | Iterable<string | Buffer>

async function addEntry(tar: Pack, digest: Hash, name: string, size: number, content: Content): Promise<void> {
  digest.update(`${name}\n${size}\n`)
  const digested = async function* () {
    for await (const chunk of content) {
      digest.update(chunk)
      yield chunk
    }
  }
  await pipeline(digested, tar.entry({ name, size, mode: 0o600 }))
}
