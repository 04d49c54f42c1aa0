import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { BucketConfig } from '#server/core/config/storageSettings.ts'
import { createTimeoutError, toBucketError } from './bucketErrors.ts'

type Sdk = typeof import('./s3Sdk.ts')
type Calls = Omit<Sdk, 'S3Client'>
type Input<Name extends keyof Calls> = ConstructorParameters<Calls[Name]>[0]
type Output<Name extends keyof Calls> = Awaited<
  ReturnType<ReturnType<InstanceType<Calls[Name]>['resolveMiddleware']>>
>['output']
/** Makes a call to the server within `ms`, with all its attempts. @throws BucketError */
type AskBucket = <Name extends keyof Calls>(name: Name, ms: number, input: Input<Name>) => Promise<Output<Name>>

/** Bounds the wait for a server that does not accept connections. */
const CONNECT_MS = 3000
const ATTEMPTS = 3

/** Loads the client's library with the first call, because most sites have no bucket. */
export function createBucketCalls(config: BucketConfig): AskBucket {
  let connection: Promise<[S3Client, Sdk]> | undefined
  return async (name, ms, input) => {
    const timeout = new AbortController()
    try {
      connection ??= connect(config)
      const [client, sdk] = await connection
      const createError = () => createTimeoutError(name, ms)
      const Command = sdk[name] as unknown as new (given: typeof input) => never
      const sent = client.send(new Command(input), { abortSignal: timeout.signal }) as Promise<Output<typeof name>>
      return await withTimeout(sent, ms, { createError })
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
  const { UploadId } = await ask('CreateMultipartUpload', ms, target)
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for await (const send of parts) {
      const PartNumber = Parts.length + 1
      Parts.push({ PartNumber, ETag: await send({ ...upload, PartNumber }) })
    }
    await ask('CompleteMultipartUpload', ms, { ...upload, MultipartUpload: { Parts } })
  } catch (error) {
    // Most providers charge for the parts of uploads that nobody completes. `removeUnfinished` repeats a failure.
    await ask('AbortMultipartUpload', ms, upload).catch(() => {})
    throw error
  }
}

const CALL = 'the rest of GetObject'

/** Passes the body of an object on. Fails if the bucket stops sending for `stallMs`; a reader that pauses does not count. */
export function limitStalls(body: Readable, stallMs: number): Readable {
  const createError = () => createTimeoutError(CALL, stallMs)
  async function* read(): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await withTimeout(chunks.next(), stallMs, { createError })
        if (done) return
        yield value
      }
    } catch (error) {
      throw toBucketError(CALL, error)
    }
  }
  const content = Readable.from(read(), { objectMode: false })
  // Ends the read from the bucket when a client leaves, even before the first byte.
  content.once('close', () => body.destroy())
  body.on('error', () => {})
  return content
}

/** Yields parts of the same size, as some servers require, and a smaller last one. */
export async function* splitIntoParts(content: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    while (length >= partBytes) {
      const bytes = Buffer.concat(chunks)
      yield bytes.subarray(0, partBytes)
      chunks = [bytes.subarray(partBytes)]
      length -= partBytes
    }
  }
  if (length > 0) yield Buffer.concat(chunks)
}
