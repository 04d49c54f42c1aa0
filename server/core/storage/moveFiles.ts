import { buffer } from 'node:stream/consumers'
import type { FileStore } from './fileStore.ts'
import { forEachConcurrently } from './forEachConcurrently.ts'

/** Each of these has two copies of a file in memory. */
const AT_ONCE = 8

export type MoveCounts = {
  copied: number
  copiedBytes: number
  /** files that were there before */
  present: number
  /** files that the site removed or renamed meanwhile */
  gone: number
  deleted: number
}

type Options = {
  /** deletes each file of `from` after its copy was read back */
  deleteMoved: boolean
  signal: AbortSignal
  progress: (counts: MoveCounts) => void
}

/**
 * Copies all files while a site with `combineStores(to, from)` runs. Continues after a crash: stores have complete files
 * only, so a file with the right size is skipped. @throws Error if a store fails or a copy differs
 */
export async function moveFiles(
  from: FileStore,
  to: FileStore,
  { deleteMoved, signal, progress }: Options,
): Promise<MoveCounts> {
  const counts: MoveCounts = { copied: 0, copiedBytes: 0, present: 0, gone: 0, deleted: 0 }
  const stored = new Map<string, number>()
  for await (const { name, size } of to.list()) {
    signal.throwIfAborted()
    stored.set(name, size)
  }

  async function move(name: string, size: number): Promise<void> {
    signal.throwIfAborted()
    const isPresent = stored.get(name) === size
    if (isPresent && !deleteMoved) counts.present++
    else if (isPresent && (await isSame(name))) counts.present++
    else if (!(await copy(name))) {
      counts.gone++
      return progress(counts)
    }
    if (deleteMoved) {
      await from.remove([name])
      counts.deleted++
    }
    progress(counts)
  }

  async function isSame(name: string): Promise<boolean> {
    const [original, copied] = await Promise.all([readFile(from, name), readFile(to, name)])
    return original !== null && copied !== null && original.equals(copied)
  }

  /** @returns false if the file is gone */
  async function copy(name: string): Promise<boolean> {
    const bytes = await readFile(from, name)
    if (!bytes) return false
    await to.put(name, bytes)
    const copied = await readFile(to, name)
    // The site removes and renames files in `from` first. If it did, this copy came too late to be removed by it.
    if (!(await from.open(name))) {
      await to.remove([name])
      return false
    }
    if (!copied?.equals(bytes)) {
      await to.remove([name])
      throw new Error('a copied file differs from the original, so it was removed')
    }
    counts.copied++
    counts.copiedBytes += bytes.length
    return true
  }

  await forEachConcurrently(from.list(), AT_ONCE, ({ name, size }) => move(name, size))
  return counts
}

async function readFile(store: FileStore, name: string): Promise<Buffer | null> {
  const file = await store.read(name)
  return file && buffer(file.content)
}
