import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { S3Client } from '@aws-sdk/client-s3'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { BucketConfig } from '#server/core/config/storageSettings.ts'
import { createTimeoutError, toBucketError } from './bucketErrors.ts'

type Sdk = typeof import('./s3Sdk.ts')
type Call<T> = (client: S3Client, sdk: Sdk, abortSignal: AbortSignal) => Promise<T>
/** Runs a call to the server within `ms`, with all its attempts. @throws BucketError */
type AskBucket = <T>(name: string, ms: number, call: Call<T>) => Promise<T>

/** Bounds the wait for a server that does not accept connections. */
const CONNECT_MS = 3000
const ATTEMPTS = 3

/** Loads the client's library with the first call, because most sites have no bucket. */
export function createBucketCalls(config: BucketConfig): AskBucket {
  let connection: Promise<[S3Client, Sdk]> | undefined
  return async (name, ms, call) => {
    const timeout = new AbortController()
    try {
      connection ??= connect(config)
      const [client, sdk] = await connection
      const createError = () => createTimeoutError(name, ms)
      return await withTimeout(call(client, sdk, timeout.signal), ms, { createError })
    } catch (error) {
      timeout.abort()
      throw toBucketError(name, error)
    }
  }
}

async function connect({ endpoint, region, pathStyle, accessKeyId, secretAccessKey }: BucketConfig) {
  const sdk = await import('./s3Sdk.ts')
  // The limits of the site's own connections bound those to the bucket. With a lower limit, a few visitors who read
  // slowly could take all of them.
  const options = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }
  const client = new sdk.S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS,
    // Some servers refuse the newer checksums, and none requires them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      httpAgent: new HttpAgent(options),
      httpsAgent: new HttpsAgent(options),
    },
  })
  return [client, sdk] satisfies [S3Client, Sdk]
}

type Part = { Bucket: string; Key: string; UploadId: string | undefined; PartNumber: number }
/** Sends one part. @returns its ETag */
export type SendPart = (part: Part) => Promise<string | undefined>

/** Stores an object that is sent in parts. The object exists only when all parts are there. */
export async function putParts(
  ask: AskBucket,
  target: { Bucket: string; Key: string },
  parts: AsyncIterable<SendPart>,
  ms: number,
): Promise<void> {
  const { UploadId } = await ask('CreateMultipartUpload', ms, (client, sdk, abortSignal) =>
    client.send(new sdk.CreateMultipartUploadCommand(target), { abortSignal }),
  )
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for await (const send of parts) {
      const PartNumber = Parts.length + 1
      Parts.push({ PartNumber, ETag: await send({ ...upload, PartNumber }) })
    }
    await ask('CompleteMultipartUpload', ms, (client, sdk, abortSignal) =>
      client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), { abortSignal }),
    )
  } catch (error) {
    // Most providers charge for the parts of uploads that nobody completes. `removeUnfinished` repeats a failure.
    await abortUpload(ask, upload, ms).catch(() => {})
    throw error
  }
}

type Upload = { Bucket: string; Key: string | undefined; UploadId: string | undefined }

export const abortUpload = (ask: AskBucket, { Bucket, Key, UploadId }: Upload, ms: number) =>
  ask('AbortMultipartUpload', ms, (client, sdk, abortSignal) =>
    client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }),
  )
