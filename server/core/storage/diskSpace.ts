import { statfs } from 'node:fs/promises'

/** Kept free: the embedded database cannot end a change without room for its log, and stops altogether. */
export const RESERVE_BYTES = 128 * 1024 * 1024
/** ms an answer holds: shorter than the reserve can be written full in */
const LOOK_AGAIN_MS = 250

/** Bytes that are free on the disk of a folder, looked up now and then; what cannot be looked up is taken for plenty. */
export function createFreeSpaceReader(folder: string): () => Promise<number> {
  let known: { at: number; free: Promise<number> } | undefined
  return () => {
    if (!known || performance.now() - known.at >= LOOK_AGAIN_MS) {
      const free = statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Number.POSITIVE_INFINITY,
      )
      known = { at: performance.now(), free }
    }
    return known.free
  }
}
