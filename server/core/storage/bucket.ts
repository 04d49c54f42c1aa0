import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3'
import type { BucketConfig } from '#server/core/config/storageSettings.ts'
import { createBucketCalls, limitStalls, putParts, type SendPart, splitIntoParts } from './bucketCalls.ts'
import { BucketError, isMissing } from './bucketErrors.ts'

type StoredObject = { size: number; modified: Date }

/** Times for a call with all its attempts, in ms. Visitors wait for `read`; `part` is for parts and large copies. */
const CALL_MS = { read: 8000, write: 30_000, part: 120_000 }
/** Bounds how long a bucket that stops in the middle of an object keeps a response open. */
const STALL_MS = 15_000
/** Another process may still continue a younger upload. */
const MIN_UNFINISHED_MS = 24 * 60 * 60 * 1000
/** Servers copy up to 5 GiB in one call. */
const MAX_COPY_BYTES = 5 * 1024 ** 3
/** Servers accept 10,000 parts, so objects of 156 GiB. Two parts are in memory at once. */
const PART_BYTES = 16 * 1024 * 1024

export type Bucket = ReturnType<typeof createBucket>

/**
 * Creates a client of a bucket. Keys are those after `S3_PREFIX`. Every call ends within a bounded time, with a
 * BucketError if it fails.
 */
export function createBucket(
  config: BucketConfig,
  { callMs = CALL_MS, stallMs = STALL_MS, partBytes = PART_BYTES, maxCopyBytes = MAX_COPY_BYTES } = {},
) {
  const ask = createBucketCalls(config)
  const Bucket = config.name
  const toKey = (key: string) => config.prefix + key
  const toObject = (key: string) => ({ Bucket, Key: toKey(key) })
  const toSource = (key: string) => `${Bucket}/${toKey(key)}`

  async function copyParts(from: string, to: string, size: number): Promise<void> {
    async function* parts(): AsyncGenerator<SendPart> {
      for (let start = 0; start < size; start += maxCopyBytes) {
        const CopySourceRange = `bytes=${start}-${Math.min(size, start + maxCopyBytes) - 1}`
        yield async (part) => {
          const input = { ...part, CopySource: toSource(from), CopySourceRange }
          return (await ask('UploadPartCopy', callMs.part, input)).CopyPartResult?.ETag
        }
      }
    }
    await putParts(ask, toObject(to), parts(), callMs.part)
  }

  return {
    /** @param range both ends are inclusive @returns null if there is no such object */
    async get(
      key: string,
      range?: { start: number; end: number },
    ): Promise<(StoredObject & { content: Readable }) | null> {
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await ask('GetObject', callMs.read, { ...toObject(key), Range }).catch(nullIfNoObject)
      if (!found) return null
      const { Body, ContentLength: size, LastModified } = found
      const body = Body as Readable
      if (size === undefined || (range && size !== range.end - range.start + 1)) {
        body.destroy()
        throw new BucketError('The bucket sent another part of an object than requested', 'WrongRange')
      }
      return { size, modified: toDate(LastModified), content: limitStalls(body, stallMs) }
    },

    /** @returns null if there is no such object */
    async find(key: string): Promise<StoredObject | null> {
      const found = await ask('HeadObject', callMs.read, toObject(key)).catch(nullIfNoObject)
      return found && { size: found.ContentLength ?? 0, modified: toDate(found.LastModified) }
    },

    async put(key: string, bytes: Uint8Array): Promise<void> {
      await ask('PutObject', callMs.write, { ...toObject(key), Body: bytes })
    },

    /** Stores a stream of any length but 0. Stores nothing if it fails. */
    async upload(key: string, content: AsyncIterable<Buffer>): Promise<void> {
      async function* parts(): AsyncGenerator<SendPart> {
        for await (const Body of splitIntoParts(content, partBytes)) {
          yield async (part) => (await ask('UploadPart', callMs.part, { ...part, Body })).ETag
        }
      }
      await putParts(ask, toObject(key), parts(), callMs.part)
    },

    /** @param size of the object, if it may be large @returns false if there is no such object */
    async copy(from: string, to: string, size?: number): Promise<boolean> {
      if (size !== undefined && size > maxCopyBytes) return copyParts(from, to, size).then(() => true)
      // Renaming a file can hold up a transaction, so it has little time.
      const ms = size === undefined ? callMs.read : callMs.part
      const input = { ...toObject(to), CopySource: toSource(from) }
      return (await ask('CopyObject', ms, input).catch(nullIfNoObject)) !== null
    },

    /**
     * Ignores a missing object. Deletes one per call: servers require different checksums for calls with several.
     * @param limit the kind of call whose time limit applies; `read` for renaming, like `copy`
     */
    async remove(key: string, limit: 'read' | 'write' = 'write'): Promise<void> {
      await ask('DeleteObject', callMs[limit], toObject(key)).catch(nullIfNoObject)
    },

    /** Lists the objects whose keys begin with `folder`, with the rest of their keys. */
    async *list(folder: string): AsyncGenerator<StoredObject & { name: string }> {
      const Prefix = toKey(folder)
      let ContinuationToken: string | undefined
      do {
        const input = { Bucket, Prefix, ContinuationToken }
        const page: ListObjectsV2CommandOutput = await ask('ListObjects', callMs.write, input)
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          yield { name: Key.slice(Prefix.length), size: Size, modified: toDate(LastModified) }
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },

    /** Removes the parts that killed processes left of objects whose keys begin with `folder`. */
    async removeUnfinished(folder: string): Promise<void> {
      const input = { Bucket, Prefix: toKey(folder) }
      const found = await ask('ListMultipartUploads', callMs.write, input).catch((error: BucketError) => {
        // Some servers cannot list them, and remove them by themselves.
        if (error.status === 501) return null
        throw error
      })
      const startedBefore = Date.now() - MIN_UNFINISHED_MS
      for (const { Key, UploadId, Initiated } of found?.Uploads ?? []) {
        if (toDate(Initiated).getTime() > startedBefore) continue
        await ask('AbortMultipartUpload', callMs.write, { Bucket, Key, UploadId }).catch(nullIfNoObject)
      }
    },

    /** @throws BucketError if the server does not answer, or has no such bucket */
    async check(): Promise<void> {
      await ask('HeadBucket', callMs.read, { Bucket })
    },
  }
}

/** A missing time is now, so that cleanups keep the object or upload. */
const toDate = (time: Date | undefined) => time ?? new Date()

function nullIfNoObject(error: unknown): null {
  if (error instanceof BucketError && isMissing(error)) return null
  throw error
}

/** Two ranges are in memory at once. */
const RANGE_BYTES = 8 * 1024 * 1024
/** per range; the client repeats only calls that fail before the first byte */
const ATTEMPTS = 3

/** Reads a large object in ranges, each whole: slow readers and lost connections then do not end the read. */
export async function* readInRanges(
  { find, get }: Pick<Bucket, 'find' | 'get'>,
  key: string,
  rangeBytes = RANGE_BYTES,
): AsyncGenerator<Buffer> {
  const size = (await find(key))?.size ?? 0
  if (size === 0) throw new BucketError('The bucket does not have the object', 'NoSuchKey', 404)
  for (let start = 0; start < size; start += rangeBytes) {
    yield await readRange({ start, end: Math.min(size, start + rangeBytes) - 1 })
  }

  async function readRange(range: { start: number; end: number }, attempt = 1): Promise<Buffer> {
    try {
      const part = await get(key, range)
      if (!part) throw new BucketError('The object was removed from the bucket', 'NoSuchKey', 404)
      return await buffer(part.content)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      return readRange(range, attempt + 1)
    }
  }
}
