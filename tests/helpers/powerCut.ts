import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** An operation that `fileRecorder.cjs` recorded, or the acknowledgement of a write (`ack`) */
export type Entry = { op: string; path: string; at: number; size: number; to: string; id: string; bytes: Buffer }

type Change = { at: number; bytes: Buffer } | { size: number }
type File = { content: Buffer; pending: Change[] }
type Names = Map<string, File>

export function readRecord(path: string): Entry[] {
  const record = readFileSync(path)
  const entries: Entry[] = []
  for (let at = 0; at < record.length; ) {
    const end = at + 4 + record.readUInt32BE(at)
    const { length, ...entry } = JSON.parse(record.toString('utf8', at + 4, end))
    entries.push({ ...entry, bytes: record.subarray(end, end + length) })
    at = end + length
  }
  return entries
}

export function recordEntry(entry: Partial<Entry>): Buffer {
  const head = Buffer.from(JSON.stringify({ ...entry, length: 0 }))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(head.length)
  return Buffer.concat([size, head])
}

/**
 * A disk that loses what was not synced: of files their content, of folders the names of their files. It keeps all
 * folders.
 */
export class SimulatedDisk {
  #before: string
  #folder: string
  /** names that programs see, and names that survive a power cut */
  #names: Names = new Map()
  #syncedNames: Names = new Map()
  #untouched = new Map<string, File>()
  #running = new Map<string, { file: File; changes: Change[] }>()

  /** @param before a copy of the folder as it was when the recording began */
  constructor(folder: string, before: string) {
    this.#folder = folder
    this.#before = before
  }

  /** Returns the number of changes to a file that no sync covers. */
  unsynced(path: string): number {
    return this.#find(path)?.pending.length ?? 0
  }

  apply({ op, path, at, size, to, id, bytes }: Entry): void {
    if (op === 'create' && !this.#find(path)) this.#names.set(path, { content: Buffer.alloc(0), pending: [] })
    const file = this.#find(path)
    if (op === 'write') file?.pending.push({ at, bytes })
    if (op === 'truncate') file?.pending.push({ size })
    if (op === 'unlink' || op === 'rename') this.#names.set(path, GONE)
    if (op === 'rename' && file) this.#names.set(to, file)
    if (op === 'sync' && file) this.#settle(file, file.pending)
    if (op === 'sync' && !file) this.#syncNames(path)
    if (op === 'sync-begin' && file) this.#running.set(id, { file, changes: [...file.pending] })
    const done = op === 'sync-end' ? this.#running.get(id) : undefined
    if (done) this.#settle(done.file, done.changes)
  }

  /**
   * Writes what a power cut leaves.
   * @param survives whether a change that no sync covers reached the disk
   */
  cut(target: string, survives: () => boolean): void {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(dirname(target), { recursive: true })
    execFileSync('cp', ['-a', '--reflink=auto', this.#before, target])
    const names = survives() ? this.#names : this.#syncedNames
    for (const [path, file] of names) {
      const copy = join(target, relative(this.#folder, path))
      rmSync(copy, { force: true })
      if (file === GONE) continue
      mkdirSync(dirname(copy), { recursive: true })
      writeFileSync(copy, remains(file, survives), { mode: 0o600 })
    }
    // Files whose names did not change.
    for (const [path, file] of this.#untouched) {
      if (names.has(path)) continue
      const copy = join(target, relative(this.#folder, path))
      writeFileSync(copy, remains(file, survives), { mode: 0o600 })
    }
  }

  #find(path: string): File | undefined {
    const named = this.#names.get(path) ?? this.#untouched.get(path)
    if (named) return named === GONE ? undefined : named
    try {
      const file = { content: readFileSync(join(this.#before, relative(this.#folder, path))), pending: [] }
      this.#untouched.set(path, file)
      return file
    } catch {
      return undefined
    }
  }

  #settle(file: File, changes: Change[]): void {
    const settled = new Set(changes.filter((one) => file.pending.includes(one)))
    file.content = [...settled].reduce(change, file.content)
    file.pending = file.pending.filter((one) => !settled.has(one))
  }

  #syncNames(folder: string): void {
    for (const [path, file] of this.#names) if (dirname(path) === folder) this.#syncedNames.set(path, file)
  }
}

const GONE: File = { content: Buffer.alloc(0), pending: [] }

const remains = (file: File, survives: () => boolean) =>
  file.pending.filter(survives).reduce(change, Buffer.from(file.content))

/** Changes the content in place where it can. */
function change(content: Buffer, one: Change): Buffer {
  if ('size' in one) return resize(content, one.size)
  const longer = content.length < one.at + one.bytes.length ? resize(content, one.at + one.bytes.length) : content
  one.bytes.copy(longer, one.at)
  return longer
}

function resize(content: Buffer, size: number): Buffer {
  const resized = Buffer.alloc(size)
  content.copy(resized)
  return resized
}
