import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import { imageReferences } from '#server/jobs.ts'
import { type ApiResponse, callApi, createBoard, postComment, postThread, toFormData } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { listStoredFiles, snapshotStorage } from '#tests/helpers/storageSnapshot.ts'

const UNAVAILABLE = 'The service is not available right now. Please try again in a moment.'

/** number of files that still fit on the disk; null: unlimited */
let room: number | null = null
let free = Number.POSITIVE_INFINITY
let dataDir: string
let site: TestSite
let boardId: string
let threadId: number
let picture: File
let lines: string[] = []

/** Creates a file store whose disk is full after `room` more files. */
function boundedStore(dir: string): FileStore {
  const store = createFileStore(dir)
  return {
    ...store,
    async put(name, bytes) {
      if (room === 0) {
        const path = join(dir, name)
        throw Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), {
          code: 'ENOSPC',
          syscall: 'write',
          path,
        })
      }
      if (room !== null) room--
      await store.put(name, bytes)
    },
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  const logTo = { write: (line: string) => void lines.push(line) }
  const files = boundedStore(join(dataDir, 'uploads'))
  site = await startSite({ LOG_LEVEL: 'info' }, { files, logTo, diskSpace: async () => free })
  boardId = await createBoard(site, 'Full', await site.createToken('full@example.org'))
  threadId = (await postThread(site, boardId)).body.thread.id
  picture = new File([new Uint8Array(await stillImage(300, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
})
afterEach(() => {
  room = null
  free = Number.POSITIVE_INFINITY
  lines = []
})
afterAll(async () => {
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

const share = () =>
  callApi(site, 'POST', '/api/image-share', { form: toFormData({ image: picture, expiryHours: '1' }) })
const uploads: [string, () => Promise<ApiResponse>][] = [
  ['a shared image', share],
  ['a thread', () => postThread(site, boardId, { image: picture })],
  ['a comment', () => postComment(site, { boardId, threadId }, { image: picture })],
]

function expectAway(answer: ApiResponse): void {
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(answer.body).toEqual({ success: false, error: UNAVAILABLE })
}

test.each(uploads)('refuses %s with an image on a full disk, and accepts it when there is space', async (_, upload) => {
  const before = await snapshotStorage(site)
  for (const left of [0, 1, 2]) {
    room = left
    expectAway(await upload())
    expect(await listStoredFiles({ dataDir })).toEqual([])
  }
  expect(await snapshotStorage(site)).toEqual(before)
  // The log names the cause but no file name, because a file name gives access to the image.
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  expect(errors).toHaveLength(3)
  for (const { msg, err } of errors) {
    const [cause = err] = err.causes ?? []
    expect([msg, cause.message]).toEqual(['call failed', 'ENOSPC: write'])
  }
  expect(lines.join()).not.toContain('.png')

  room = null
  expect((await upload()).status).toBe(200)
  expect(await listStoredFiles({ dataDir })).toHaveLength(3)
  await rm(join(dataDir, 'uploads'), { recursive: true })
})

test('still accepts posts without images, pastes and reads', async () => {
  room = 0
  expect((await postComment(site, { boardId, threadId })).status).toBe(200)
  const made = await callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } })
  expect(made.status).toBe(200)
  const { pathname } = new URL(made.body.url)
  expect((await callApi(site, 'GET', `/api${pathname}`)).body.paste.content).toBe('text')
  expect((await callApi(site, 'GET', '/readyz')).status).toBe(200)
})

test('refuses writes and serves reads when the database’s disk is full', async () => {
  const { db, files, now } = site.app.services
  // Raises the error that PostgreSQL reports for a full disk.
  await db.execute(sql`create function full_disk() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`)
  for (const table of ['paste', 'post', 'image_share']) {
    await db.execute(
      sql`create trigger full_disk before insert on ${sql.identifier(table)} execute function full_disk()`,
    )
  }
  const before = await snapshotStorage(site)
  const paste = () => callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } })
  for (const write of [paste, ...uploads.map(([, upload]) => upload)]) expectAway(await write())
  expect(await snapshotStorage(site)).toEqual(before)
  const causes = lines.map((line) => JSON.parse(line)).flatMap(({ err }) => err?.causes ?? [])
  expect(causes).toContainEqual(expect.objectContaining({ code: '53100' }))
  expect((await callApi(site, 'GET', `/api/dtpchan/boards/${boardId}/threads`)).status).toBe(200)
  await deleteOrphanedFiles({ db, files, now }, imageReferences, 0)
  expect(await listStoredFiles({ dataDir })).toEqual([])

  for (const table of ['paste', 'post', 'image_share']) {
    await db.execute(sql`drop trigger full_disk on ${sql.identifier(table)}`)
  }
  for (const write of [paste, ...uploads.map(([, upload]) => upload)]) expect((await write()).status).toBe(200)
})

// PGlite would stop on a full disk, so the site refuses writes earlier. PostgreSQL has its own disk.
test.runIf(inject('database') === 'pglite')(
  'refuses writes before the disk is full, but allows deletions',
  async () => {
    const token = await site.createToken('full@example.org', 'admin')
    const paste = () => callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } })
    const made = await paste()
    const removing = new URL(made.body.deleteUrl)
    const other = (await postThread(site, boardId)).body.thread.id
    free = 127 * 1024 * 1024
    lines = []
    const before = await snapshotStorage(site)
    for (const write of [paste, paste, ...uploads.map(([, upload]) => upload)]) {
      const answer = await write()
      expect([answer.status, answer.headers['retry-after'], answer.body.error]).toEqual([503, '60', UNAVAILABLE])
    }
    expect(await snapshotStorage(site)).toEqual(before)
    const degraded = { status: 'degraded', cause: 'the disk is nearly full: writes are rejected' }
    await expect.poll(async () => (await callApi(site, 'GET', '/readyz')).body).toEqual(degraded)
    // Logins still work, because deleting content requires a login.
    const login = { email: 'full@example.org', password: 'correct horse battery' }
    expect((await callApi(site, 'POST', '/api/dtpchan/admin/login', { json: login })).status).toBe(200)
    const calls = (path: string) => callApi(site, 'POST', `/trpc/${path}`, { json: { json: {} } })
    expect((await calls('paste.create')).status).toBe(503)
    expect((await calls('paste.delete,paste.create?batch=1')).status).toBe(503)
    expect((await calls('paste.delete')).status).toBe(400)
    const told = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(told).toMatchObject([{ msg: 'the disk is nearly full: writes are rejected', free }])
    expect((await callApi(site, 'GET', `/api/dtpchan/boards/${boardId}/threads`)).status).toBe(200)
    const path = `/api${removing.pathname}`
    expect((await callApi(site, 'POST', path, { json: { token: removing.searchParams.get('token') } })).status).toBe(
      200,
    )
    expect((await callApi(site, 'DELETE', `/api/dtpchan/boards/${boardId}/threads/${other}`, { token })).status).toBe(
      200,
    )
    free = 128 * 1024 * 1024
    expect((await paste()).status).toBe(200)
    await expect.poll(async () => (await callApi(site, 'GET', '/readyz')).body).toEqual({ status: 'ok' })
  },
)
