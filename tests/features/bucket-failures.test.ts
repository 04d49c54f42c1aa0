import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { createBucketStore, verifyBucket } from '#server/core/storage/openStores.ts'
import { holdRecentPosts } from '#server/features/moderation/raids/startRaid.ts'
import {
  callApi,
  createBoard,
  postComment,
  postThread,
  readThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { noiseBytes, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { snapshotStorage } from '#tests/helpers/storageSnapshot.ts'
import { addStreamer } from '#tests/helpers/streamers.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const UNAVAILABLE = 'The service is not available right now. Please try again in a moment.'
const PATIENT_MS = { read: 60_000, write: 60_000, part: 60_000 }
/** Much shorter than in operation, for a bucket that answers nothing. Busy machines answer later. */
const HASTY_MS = { read: 600, write: 600, part: 600 }
const LIMITS = { callMs: { ...PATIENT_MS }, stallMs: 2000 }

let server: BucketServer
let site: TestSite
let origin: string
let threadId: number
let url: string
let picture: File
let lines: string[] = []

beforeAll(async () => {
  server = await startBucketServer()
  const files = createBucketStore(server.bucket('site', LIMITS))
  site = await startSite({ LOG_LEVEL: 'info' }, { files, logTo: { write: (line) => void lines.push(line) } })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  await createBoard(site, 'Pics', await site.createToken('admin@example.org', 'admin'))
  const png = await stillImage(300, 200).png().toBuffer()
  picture = new File([new Uint8Array(png)], 'p.png', { type: 'image/png' })
  const { thread } = (await postThread(site, 'pics', { image: picture })).body
  threadId = thread.id
  url = thread.image
})
afterEach(() => {
  server.setFault(null)
  Object.assign(LIMITS.callMs, PATIENT_MS)
  lines = []
})
afterAll(async () => {
  await site.close()
  await server.close()
})

const nameOf = (url: string) => url.split('/').at(-1) ?? ''
const refuse = (status: number, code: string) => (_request: IncomingMessage, response: ServerResponse) => {
  const { pathname } = new URL(url, origin)
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>arn:aws:s3:::test-bucket${pathname}</Message></Error>`)
  return true
}
const faults: [string, (request: IncomingMessage, response: ServerResponse) => boolean][] = [
  ['answers nothing', () => true],
  ['answers 500', refuse(500, 'InternalError')],
  ['answers 503', refuse(503, 'SlowDown')],
  ['answers 403', refuse(403, 'AccessDenied')],
  ['is gone', refuse(404, 'NoSuchBucket')],
  [
    'closes connections',
    ({ socket }) => {
      socket.destroy()
      return true
    },
  ],
]

test.each(someOf(faults))('answers 503 in time and serves pages while the bucket %s', async (state, fault) => {
  const before = await snapshotStorage(site)
  server.setFault(fault)
  Object.assign(LIMITS.callMs, HASTY_MS)
  const begun = performance.now()
  // An answer to HEAD has no code, so a missing bucket looks like a missing object.
  const headers = state === 'is gone' ? [{}] : [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]
  const reads = await Promise.all(headers.map((one) => site.app.inject({ url, headers: one })))
  for (const { statusCode, headers, body } of reads) {
    expect([statusCode, JSON.parse(body)]).toEqual([503, { success: false, error: UNAVAILABLE }])
    expect([headers.etag, headers['retry-after'], headers['cache-control']]).toEqual([undefined, '5', 'no-store'])
  }
  const upload = await postComment(site, { boardId: 'pics', threadId }, { image: picture })
  expect([upload.status, upload.body.error]).toEqual([503, UNAVAILABLE])
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect((await callApi(site, 'GET', `/api/dtpchan/boards/pics/threads/${threadId}`)).status).toBe(200)
  expect(await snapshotStorage(site)).toEqual(before)
  const ready = await callApi(site, 'GET', '/readyz')
  expect([ready.status, ready.body.files]).toEqual([200, 'files cannot be stored (BUCKET_FAILED)'])
  // The name of a file gives access to it.
  expect(lines.join()).not.toContain(url.split('/').at(-1))

  server.setFault(null)
  Object.assign(LIMITS.callMs, PATIENT_MS)
  expect((await site.app.inject({ url })).statusCode).toBe(200)
  expect((await postComment(site, { boardId: 'pics', threadId }, { image: picture })).status).toBe(200)
})

test.runIf(isDeep)('deletes images when the bucket is back', async () => {
  const token = await site.createToken('admin@example.org', 'admin')
  const share = async () => {
    const form = toFormData({ image: picture, expiryHours: '1' })
    const { body } = await callApi(site, 'POST', '/api/image-share', { form })
    const pathOf = (url: string) => new URL(url).pathname
    return { deletion: new URL(body.deleteUrl), page: pathOf(body.url), file: pathOf(body.imageUrl) }
  }
  const [own, reported] = [await share(), await share()]
  const { comment } = (await postComment(site, { boardId: 'pics', threadId }, { image: picture })).body
  const report = { url: reported.page, reason: 'spam', ...(await solveChallenge(site)) }
  expect((await callApi(site, 'POST', '/api/moderation/reports', { json: report })).status).toBe(200)
  const { items } = (await callApi(site, 'GET', '/api/moderation/queue', { token })).body
  server.setFault(refuse(403, 'AccessDenied'))
  const calls: [string, object][] = [
    [`/api${own.deletion.pathname}`, { token: own.deletion.searchParams.get('token') }],
    [`/api/moderation/reports/${items[0].report.reportId}`, { action: 'delete' }],
    ['/api/moderation/act', { boardId: 'pics', postId: comment.id, action: 'delete-image' }],
  ]
  for (const [path, json] of calls) {
    const { status } = await callApi(site, 'POST', path, { json, token })
    expect([path, status]).toEqual([path, 200])
  }
  server.setFault(null)
  const urls = [own.file, reported.file, comment.image]
  const readStatuses = () => Promise.all(urls.map(async (url) => (await site.app.inject({ url })).statusCode))
  await expect.poll(readStatuses).toEqual([404, 404, 404])
})

test('a show whose old image the bucket does not delete yet has its new image', async () => {
  const token = await site.createToken('host@example.org')
  await addStreamer(site.app.services.db, 'host@example.org', 'Host')
  const fields = { title: 'Show', zone: 'UTC', firstDay: '2099-01-01', startTime: '20:00', minutes: '60' }
  const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string) => {
    const form = method === 'DELETE' ? undefined : toFormData({ ...fields, image: picture })
    const { status, body } = await callApi(site, method, path, { form, token })
    expect([method, status]).toEqual([method, 200])
    return body.show
  }
  const added = await send('POST', '/api/radio/shows')
  const path = `/api/radio/shows/${added.id}`
  const statusOf = async (url: string) => (await site.app.inject({ url })).statusCode
  const oldFiles: string[] = [added.image, added.image.preview, added.image.display].map(({ url }) => nameOf(url))
  server.setFault((request, response) => {
    const isOld = oldFiles.some((name) => request.url?.includes(name))
    return request.method === 'DELETE' && isOld && refuse(403, 'AccessDenied')(request, response)
  })
  const { image } = await send('PUT', path)
  expect(await Promise.all([image, image.preview, image.display].map(({ url }) => statusOf(url)))).toEqual([
    200, 200, 200,
  ])
  server.setFault((request, response) => request.method === 'DELETE' && refuse(403, 'AccessDenied')(request, response))
  await send('DELETE', path)
})

test('a board whose files the bucket does not delete yet is deleted', async () => {
  const token = await site.createToken('admin@example.org', 'admin')
  const boardId = await createBoard(site, 'Doomed', token)
  await postThread(site, boardId, { image: picture })
  server.setFault(refuse(403, 'AccessDenied'))
  expect((await callApi(site, 'DELETE', `/api/dtpchan/boards/${boardId}`, { token })).status).toBe(200)
  expect((await callApi(site, 'GET', `/api/dtpchan/boards/${boardId}/threads`)).status).toBe(404)
})

test('a refused post keeps its reason if the bucket does not delete its first image yet', async () => {
  server.setFault((request, response) => request.method === 'DELETE' && refuse(403, 'AccessDenied')(request, response))
  const text = new File(['hello'], 'a.png', { type: 'image/png' })
  const { status, body } = await postComment(site, { boardId: 'pics', threadId }, { image: [picture, text] })
  expect([status, body.error]).toEqual([415, 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'])
})

test('an image sent twice at once is shared, if the bucket does not delete the second copy yet', async () => {
  server.setFault((request, response) => request.method === 'DELETE' && refuse(403, 'AccessDenied')(request, response))
  const idempotencyKey = randomUUID()
  const send = () => {
    const form = toFormData({ image: picture, expiryHours: '1', idempotencyKey })
    return callApi(site, 'POST', '/api/image-share', { form })
  }
  const [first, second] = await Promise.all([send(), send()])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
})

test('holds the posts of a raid when the bucket is back', async () => {
  const since = new Date()
  const { comment } = (await createVisitor(site, '10.1.0.1').postComment('pics', threadId, { image: picture })).body
  const readIds = async () =>
    (await readThread(site, 'pics', threadId)).body.thread.comments.map(({ id }: { id: number }) => id)
  server.setFault(refuse(403, 'AccessDenied'))
  await holdRecentPosts(site.app.services, since, { intervalMs: 50, attempts: 100 })
  expect(await readIds()).toContain(comment.id)
  server.setFault(null)
  await expect.poll(readIds).not.toContain(comment.id)
})

// The last test that posts the picture, because it blocks it.
test.runIf(isDeep)('completes a takedown when the bucket is back, and removes no post before', async () => {
  const token = await site.createToken('admin@example.org', 'admin')
  const form = toFormData({ image: picture, expiryHours: '1' })
  const { imageUrl } = (await callApi(site, 'POST', '/api/image-share', { form })).body
  const { pathname } = new URL(imageUrl)
  const takeDown = (path: string) => callApi(site, 'POST', '/api/moderation/takedowns', { json: { url: path }, token })
  server.setFault(refuse(403, 'AccessDenied'))
  expect((await takeDown(`/dtpchan/board/pics/thread/${threadId}`)).status).toBe(503)
  expect((await takeDown(pathname)).status).toBe(200)
  expect((await callApi(site, 'GET', pathname)).status).toBe(503)
  server.setFault(null)
  await expect.poll(async () => (await site.app.inject({ url: pathname })).statusCode).toBe(410)
  expect((await site.app.inject({ url })).statusCode).toBe(200)
})

/** Sends the head and the first bytes of an object. Files that could not be deleted before are deleted meanwhile. */
const begin = ({ method }: IncomingMessage, response: ServerResponse) => {
  if (method !== 'GET') return false
  response.writeHead(200, { 'content-length': 1_000_000, 'last-modified': new Date().toUTCString() })
  response.write(noiseBytes(1000))
  return true
}

test('cuts a response when the bucket stops in the middle, and ends the read', async () => {
  server.setFault(begin)
  const answer = await fetch(origin + url)
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1000000'])
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
  await expect.poll(server.running).toBe(0)
  server.setFault((request, response) => {
    if (!begin(request, response)) return false
    setTimeout(() => response.destroy(), 50)
    return true
  })
  await expect((await fetch(origin + url)).arrayBuffer()).rejects.toThrow('terminated')
})

test('ends the read from the bucket when a client leaves', async () => {
  const [reading, ended] = [createDeferred(), createDeferred()]
  server.setFault((request, response) => {
    if (!begin(request, response)) return false
    const sending = setInterval(() => response.write(noiseBytes(1000)), 50)
    void once(response, 'close').then(() => {
      clearInterval(sending)
      ended.resolve()
    })
    reading.resolve()
    return true
  })
  const client = new AbortController()
  const answer = await fetch(origin + url, { signal: client.signal })
  await reading.promise
  client.abort()
  await ended.promise
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

const wrong: [() => ReturnType<typeof refuse> | null, string, Record<string, string>?][] = [
  [() => refuse(403, 'SignatureDoesNotMatch'), 'Setting S3_SECRET_ACCESS_KEY is wrong: '],
  [() => refuse(403, 'AccessDenied'), 'The key of S3_ACCESS_KEY_ID may not list, read, write and delete objects of '],
  [() => refuse(400, 'AuthorizationHeaderMalformed'), 'Setting S3_REGION is wrong: '],
  [() => null, 'Setting S3_BUCKET is wrong: the server has no bucket wrong', { S3_BUCKET: 'wrong' }],
  [() => null, 'Setting S3_ACCESS_KEY_ID is wrong: ', { S3_ACCESS_KEY_ID: 'nobody' }],
  [() => null, 'Check the settings S3_*', { S3_ENDPOINT: 'http://127.0.0.1:9' }],
]
test.each(wrong)('names the wrong setting at the start %#', async (createFault, message, env = {}) => {
  server.setFault(createFault())
  const { bucket } = readConfig({ ...server.settings('start'), ...env })
  if (!bucket) throw new Error('The settings have no bucket')
  const error = await verifyBucket(bucket).catch((thrown: Error) => thrown)
  expect((error as Error).message).toContain(message)
  expect((error as Error).message).not.toContain('\n')
})

test('accepts a right bucket at the start, and leaves nothing in it', async () => {
  const { bucket } = readConfig(server.settings('start'))
  if (bucket) await verifyBucket(bucket)
  const left: string[] = []
  for await (const { name } of server.bucket('start').list('')) left.push(name)
  expect(left).toEqual([])
})
