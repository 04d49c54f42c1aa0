import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBackup } from '#server/core/backup/backup.ts'
import { restore } from '#server/core/backup/restore.ts'
import { readConfig } from '#server/core/config/config.ts'
import type { FileStore } from '#server/core/storage/fileStore.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { deleteExpiredImageShares } from '#server/features/image/service.ts'
import { cleanUpFiles } from '#server/jobs.ts'
import { BOARDS, callApi, createBoard, postThread, toFormData } from '#tests/helpers/apiCalls.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { testDatabase } from '#tests/helpers/databases.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const HOUR = 3_600_000
const options = { signal: new AbortController().signal, progress: () => {} }

let server: BucketServer
let folder: string
let images = 0

beforeAll(async () => {
  server = await startBucketServer()
  folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function createImage() {
  const bytes = await openRaw(await createVariedImage(++images))
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
}

const stores: [string, string, () => Record<string, string>][] = [
  ['the folder', 'folder', () => ({ ...server.settings('one'), FILE_STORE: 'folder' })],
  ['a bucket', 's3', () => server.settings('two')],
]

describe.each(stores)('a site with its pictures in %s', (_name, kind, readSettings) => {
  let site: TestSite
  let admin: string

  beforeAll(async () => {
    site = await startSite(readSettings())
    admin = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'Pics', admin)
  })
  afterAll(() => site.close())

  const get = (url: string, headers: Record<string, string | undefined> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    site.app.inject({ method, url, headers })
  const status = async (url: string) => (await get(url)).statusCode
  const post = async () => (await postThread(site, 'pics', { image: await createImage() })).body.thread
  const share = async () => {
    const form = toFormData({ image: await createImage(), expiryHours: '1' })
    const { body } = await callApi(site, 'POST', '/api/image-share', { form })
    return { ...body, path: new URL(body.imageUrl).pathname }
  }
  const list = () => listNames(site.app.services.files)
  const filesOf = async (url: string) => {
    const [id = ''] = (url.split('/').at(-1) ?? '').split('.')
    return (await list()).filter((name) => name.startsWith(id))
  }

  test('serves them whole and in ranges, and answers what clients ask about them', async () => {
    const { image: url } = await post()
    const whole = await get(url)
    const bytes = whole.rawPayload
    const etag = `"${url.split('/').at(-1)}"`
    const cached = { etag, 'cache-control': 'public, max-age=300, must-revalidate', 'accept-ranges': 'bytes' }
    const length = String(bytes.length)
    expect([whole.statusCode, whole.headers]).toMatchObject([
      200,
      {
        ...cached,
        'content-type': 'image/png',
        'content-length': length,
        'content-disposition': expect.stringMatching(/^inline; /),
      },
    ])
    expect((await get(url, {}, 'HEAD')).headers).toMatchObject({ ...cached, 'content-length': length })
    for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': etag, range: 'bytes=0-1' }]) {
      const known = await get(url, headers)
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
    }
    for (const [range, start, end] of [
      ['bytes=5-9', 5, 10],
      ['bytes=100-', 100, undefined],
      ['bytes=-7', -7, undefined],
    ] as const) {
      const part = await get(url, { range, 'if-range': etag })
      expect([part.statusCode, part.rawPayload]).toEqual([206, bytes.subarray(start, end)])
    }
    expect((await get(url, { range: 'bytes=5-9', 'if-range': '"other"' })).rawPayload).toEqual(bytes)
    const beyond = await get(url, { range: `bytes=${length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${length}`])
    for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }]) {
      const missing = await get('/dtpchan/uploads/000000000000000000000000.png', headers)
      expect([missing.statusCode, missing.headers.etag, missing.headers['cache-control']]).toEqual([
        404,
        undefined,
        'no-store',
      ])
    }
  })

  test('deletes expired, deleted and orphaned ones, and hides removed ones', async () => {
    const start = new Date()
    site.setNow(start)
    const expiring = await share()
    expect([await status(expiring.path), (await filesOf(expiring.path)).length]).toEqual([200, 3])
    site.setNow(new Date(start.getTime() + HOUR))
    expect([await status(expiring.path), (await filesOf(expiring.path)).length]).toEqual([404, 3])
    await deleteExpiredImageShares(site.app.services)
    expect(await filesOf(expiring.path)).toEqual([])
    site.setNow(null)

    const deleted = await share()
    const { pathname, searchParams } = new URL(deleted.deleteUrl)
    const json = { token: searchParams.get('token') }
    expect((await callApi(site, 'POST', `/api${pathname}`, { json })).status).toBe(200)
    expect([await status(deleted.path), await filesOf(deleted.path)]).toEqual([404, []])

    const thread = await post()
    await callApi(site, 'DELETE', `${BOARDS}/pics/threads/${thread.id}`, { token: admin })
    expect(await status(thread.image)).toBe(404)
    expect((await filesOf(thread.image)).map((name) => name.endsWith('.withheld'))).toEqual([true, true, true])
    const [entry] = (await callApi(site, 'GET', '/api/moderation/log')).body.entries
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId: entry.id } })
    expect(await status(thread.image)).toBe(200)

    // What a crash leaves.
    const { files } = site.app.services
    const [name = ''] = thread.image.split('/').slice(-1)
    await files.withhold([name])
    await eraseOldPosts(site.app.services)
    expect(await status(thread.image)).toBe(200)
    await files.put('00000000000000000000000a.png', Buffer.from('left'))
    await cleanUpFiles(site.app.services, 0)
    expect(await list()).not.toContain('00000000000000000000000a.png')
    expect((await filesOf(thread.image)).length).toBe(3)
  })

  test('takes them down everywhere at once', async () => {
    const { id, image } = await post()
    expect(await status(image)).toBe(200)
    const json = { url: `/dtpchan/board/pics/thread/${id}` }
    expect((await callApi(site, 'POST', '/api/moderation/takedowns', { json, token: admin })).status).toBe(200)
    for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '*' }])
      expect((await get(image, headers)).statusCode).toBe(410)
    expect(await filesOf(image)).toEqual([])
  })

  test.runIf(kind === 's3')('restores a backup to the folder, and back', async () => {
    const thread = await post()
    const original = (await get(thread.image)).rawPayload
    const before = await list()
    let location = { ...site.app.services.config, databaseUrl: site.databaseUrl, secretKey: site.secret }
    for (const [step, to] of ['folder', 's3'].entries()) {
      const out = join(folder, `${kind}-${step}.backup`)
      const done = await createBackup(location, { out: createWriteStream(out), ...options })
      expect([done.files, done.gone]).toEqual([before.length, 0])
      const place = await testDatabase()
      const config = readConfig({ ...server.settings(`restored-${kind}`), FILE_STORE: to })
      location = { ...config, ...place, databaseUrl: place.databaseUrl, secretKey: site.secret }
      await restore(out, location, { replace: false, otherSecret: false, print: () => {}, ...options })
      const store = openFileStore(location)
      expect(await listNames(store)).toEqual(before)
      const file = await store.read(thread.image.split('/').at(-1))
      expect(file && (await buffer(file.content))).toEqual(original)
    }
  })
})

test('reports why a restore failed even if its files cannot be removed', async () => {
  const site = await startSite()
  await createBoard(site, 'Pics', await site.createToken('admin@example.org', 'admin'))
  await postThread(site, 'pics', { image: await createImage() })
  const out = join(folder, 'unrestorable.backup')
  const location = { ...site.app.services.config, databaseUrl: site.databaseUrl, secretKey: site.secret }
  await createBackup(location, { out: createWriteStream(out), ...options })
  await site.close()
  const place = await testDatabase()
  const config = readConfig(server.settings('broken'))
  const target = { ...config, ...place, databaseUrl: place.databaseUrl, secretKey: site.secret }
  server.setFault(({ method }, response) => {
    if (method !== 'PUT' && method !== 'DELETE') return false
    response.writeHead(403).end()
    return true
  })
  const restoring = restore(out, target, { replace: false, otherSecret: false, print: () => {}, ...options })
  await expect(restoring).rejects.toThrow('The bucket refused PutObject')
  server.setFault(null)
  await place.cleanup()
})

async function listNames(store: FileStore): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list()) names.push(name)
  return names.sort()
}
