import { createHmac } from 'node:crypto'
import { createGate } from '#server/core/limits/semaphore.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { type RadioSource, RadioUnavailable } from './types.ts'

export type Art = {
  /** the path on this site of a picture a source named, or null where it named none */
  path: (reference: string | null) => string | null
  /** the picture by the key in its path; null when it is unknown, gone or no picture */
  read: (key: string) => Promise<{ bytes: Buffer; type: string } | null>
}

/** Pixels each way: the bar shows 200 CSS px at most, and lock screens ask for 512. */
const SIDE = 512
const KEPT_BYTES = 16 * 1024 * 1024
const KEPT_PICTURES = 200
const KNOWN_REFERENCES = 500
const FAILED_MS = 60_000

/**
 * Pictures of songs as this site shows them: fetched when somebody looks, made small, and kept in memory. Only what a
 * source has named in an answer is ever fetched.
 * @param secret keys the names, so that nobody can find out an address by guessing it
 */
export function createArt({
  source,
  images,
  secret,
  now,
}: {
  source: Pick<RadioSource, 'readArt'>
  images: Pick<ImageProcessor, 'thumbnail'>
  secret: Uint8Array
  now: () => Date
}): Art {
  const references = new Map<string, string>()
  const pictures = new Map<string, Buffer>()
  const failures = new Map<string, number>()
  const running = new Map<string, Promise<Buffer | null>>()
  const gate = createGate({ running: 2, waiting: 8, onFull: () => new RadioUnavailable('too many pictures at once') })
  let bytes = 0

  async function make(key: string, reference: string): Promise<Buffer | null> {
    try {
      const { bytes: picture } = await gate.run(async () => images.thumbnail(await source.readArt(reference), SIDE))
      keep(key, picture)
      return picture
    } catch {
      put(failures, key, now().getTime(), KNOWN_REFERENCES)
      return null
    }
  }

  function keep(key: string, picture: Buffer): void {
    pictures.set(key, picture)
    bytes += picture.length
    for (const [oldest, { length }] of pictures) {
      if (bytes <= KEPT_BYTES && pictures.size <= KEPT_PICTURES) return
      pictures.delete(oldest)
      bytes -= length
    }
  }

  return {
    path(reference) {
      if (reference === null) return null
      const key = createHmac('sha256', secret).update(reference).digest().subarray(0, 16).toString('base64url')
      put(references, key, reference, KNOWN_REFERENCES)
      return `/api/radio/art/${key}`
    },

    async read(key) {
      const kept = pictures.get(key)
      if (kept) {
        // Looked at again: it goes to the end of the line of those that are let go.
        pictures.delete(key)
        pictures.set(key, kept)
        return { bytes: kept, type: 'image/webp' }
      }
      const reference = references.get(key)
      if (reference === undefined || now().getTime() - (failures.get(key) ?? -FAILED_MS) < FAILED_MS) return null
      const work = running.get(key) ?? make(key, reference).finally(() => running.delete(key))
      running.set(key, work)
      const picture = await work
      return picture && { bytes: picture, type: 'image/webp' }
    },
  }
}

/** Sets an entry as the newest, and lets go the oldest beyond `most`. */
function put<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
