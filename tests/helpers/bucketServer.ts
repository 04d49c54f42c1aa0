import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { readConfig } from '#server/core/config/config.ts'
import { type Bucket, createBucket } from '#server/core/storage/bucket.ts'

/** The only key that the server knows. */
const KEY = 'S3RVER'
const NAME = 'test-bucket'

/** Answers a request in place of the server. @returns whether it did */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

export type BucketServer = {
  /** settings of a site whose files are in the bucket, below a prefix */
  settings: (prefix?: string) => Record<string, string>
  bucket: (prefix?: string, ...limits: LimitsOf<typeof createBucket>) => Bucket
  /** method and path of all requests since the start, the newest last */
  requests: string[]
  /** null: the server answers all requests */
  setFault: (fault: Fault | null) => void
  /** requests that the site has not ended yet */
  running: () => number
  close: () => Promise<void>
}
type LimitsOf<F> = F extends (config: never, ...limits: infer L) => unknown ? L : never

/** Starts an S3 server on a free port, with a bucket, behind a proxy that can fail. */
export async function startBucketServer(): Promise<BucketServer> {
  const directory = await mkdtemp(join(tmpdir(), 'dtp-bucket-'))
  const store = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: NAME }],
    // It signs the path of a bucket without the slash at its end, unlike other servers.
    allowMismatchedSignatures: true,
  })
  const { port } = await store.run()
  const requests: string[] = []
  let fault: Fault | null = null
  let running = 0

  const proxy = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    running++
    response.once('close', () => running--)
    if (fault?.(request, response)) return
    const { method, url: path, headers } = request
    const forwarded = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.once('error', () => response.destroy())
    response.once('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const settings = (prefix = 'site') => ({
    FILE_STORE: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: NAME,
    S3_PREFIX: prefix,
    S3_ACCESS_KEY_ID: KEY,
    S3_SECRET_ACCESS_KEY: KEY,
  })
  return {
    settings,
    bucket: (prefix, ...limits) => {
      const { bucket } = readConfig(settings(prefix))
      if (!bucket) throw new Error('The settings have no bucket')
      return createBucket(bucket, ...limits)
    },
    requests,
    setFault: (next) => {
      fault = next
    },
    running: () => running,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
