import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { broadcast } from '#db/schema/index.ts'
import { hashId } from '#server/features/radio/library/files.ts'
import { downloadRecordings, startCompleting } from '#server/features/radio/record/bucket.ts'
import { cleanUpRecordings } from '#server/features/radio/record/job.ts'
import { openRecordings } from '#server/features/radio/record/store.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const STREAMER = 'DJ Carrier'
const OFTEN = { intervalMs: 50, minAgeMs: 0 }
const DAY_MS = 24 * 3_600_000

let server: BucketServer
let site: TestSite
/** the recordings for a process on another machine, without the folder of the first */
let elsewhere: ReturnType<typeof openRecordings>
const sound = silence(60)
const open: { close(): Promise<void> }[] = []
const log = { info: vi.fn(), error: vi.fn(), warn: vi.fn() }

beforeAll(async () => {
  server = await startBucketServer()
  site = await startSite(server.settings())
  elsewhere = openRecordings({ ...site.app.services.config, dataDir: join(site.dataDir, 'other') })
})
afterEach(async () => {
  server.setFault(null)
  await Promise.all(open.splice(0).map((uploads) => uploads.close()))
  await site.app.services.db.delete(broadcast)
  for await (const { name } of server.bucket().list('recordings/')) await server.bucket().remove(`recordings/${name}`)
  vi.clearAllMocks()
})
afterAll(async () => {
  await site.close()
  await server.close()
})

/** Adds the row of a broadcast, and its file to the folder. */
async function addRecording({ file = '1-1.mp3', bytes = sound, isRunning = false } = {}) {
  const startedAt = new Date(Date.now() - 3_600_000)
  const row = {
    ...{ id: 1, stationId: 1, streamerName: STREAMER, title: 'Show', startedAt },
    ...{ endedAt: isRunning ? null : new Date(), file, type: 'audio/mpeg', bytes: sound.length, seconds: 60 },
  }
  await site.app.services.db.insert(broadcast).values(row)
  await mkdir(folderOf(site), { recursive: true })
  await writeFile(join(folderOf(site), file), bytes)
}
const folderOf = ({ dataDir }: TestSite) => join(dataDir, 'radio', 'recordings')
const upload = (isBusy = (_id: number) => false) =>
  open.push(startCompleting({ ...site.app.services, log } as never, isBusy, OFTEN))
const listLocal = () => readdir(folderOf(site)).catch(() => [])
const listKeys = async () => {
  const keys: string[] = []
  for await (const { name, size } of server.bucket().list('recordings/')) keys.push(`${name} ${size}`)
  return keys
}
const listShows = async () => {
  const url = `/api/radio/station/1/streamer/${hashId(STREAMER)}/broadcasts`
  return (await site.app.inject({ url })).json().broadcasts?.length ?? 0
}
const download = (headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/archive/recording/1/${hashId(STREAMER)}/1.mp3`, headers })

test('moves finished recordings to the bucket, from where all processes serve them', async () => {
  await addRecording()
  expect([await listShows(), (await elsewhere.names())?.size]).toEqual([1, 0])
  upload()
  await expect.poll(listLocal).toEqual([])
  expect(await listKeys()).toEqual([`1-1.mp3 ${sound.length}`])
  expect([await listShows(), (await elsewhere.names())?.size]).toEqual([1, 1])
  const whole = await download()
  expect([whole.statusCode, whole.rawPayload.equals(sound)]).toEqual([200, true])
  const part = await download({ range: 'bytes=100-199' })
  expect([part.statusCode, part.rawPayload]).toEqual([206, sound.subarray(100, 200)])
  expect((await download({ range: `bytes=${sound.length}-` })).statusCode).toBe(416)
  const end = await download({ range: 'bytes=-10' })
  expect([end.statusCode, end.rawPayload]).toEqual([206, sound.subarray(-10)])
})

test('leaves files that are still written, repairs what a killed process left, and tries again', async () => {
  await addRecording({ bytes: Buffer.concat([sound, sound.subarray(0, 50)]) })
  const busy = new Set([1])
  upload((id) => busy.has(id))
  server.setFault(({ method }, response) => {
    if (method !== 'PUT') return false
    response.writeHead(403).end()
    return true
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect([await listLocal(), log.error.mock.calls.length]).toEqual([['1-1.mp3'], 0])
  busy.clear()
  await expect.poll(() => log.error.mock.calls.length).toBeGreaterThan(0)
  expect([await listLocal(), await listKeys()]).toEqual([['1-1.mp3'], []])
  server.setFault(null)
  await expect.poll(listLocal).toEqual([])
  expect(await listKeys()).toEqual([`1-1.mp3 ${sound.length}`])
})

test('repairs what a killed process left where recordings stay in the folder, but nothing of a running broadcast', async () => {
  const bytes = Buffer.concat([sound, sound.subarray(0, 50)])
  await addRecording({ bytes, isRunning: true })
  const config = { ...site.app.services.config, fileStores: ['folder'] }
  open.push(startCompleting({ ...site.app.services, config, log } as never, () => false, OFTEN))
  const readSize = async () => (await readFile(join(folderOf(site), '1-1.mp3'))).length
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(await readSize()).toBe(bytes.length)
  await site.app.services.db.update(broadcast).set({ endedAt: new Date(), bytes: 100 })
  await expect.poll(readSize).toBe(sound.length)
  await expect.poll(async () => (await site.app.services.db.select().from(broadcast))[0]?.bytes).toBe(sound.length)
})

test('copies recordings back to the folder, and deletes those in the bucket that are there', async () => {
  await addRecording()
  upload()
  await expect.poll(listLocal).toEqual([])
  await Promise.all(open.splice(0).map((uploads) => uploads.close()))
  const options = { deleteMoved: false, signal: new AbortController().signal }
  expect(await downloadRecordings(site.app.services.config, options)).toBe(1)
  expect([await listLocal(), (await readFile(join(folderOf(site), '1-1.mp3'))).equals(sound)]).toEqual([
    ['1-1.mp3'],
    true,
  ])
  expect(await downloadRecordings(site.app.services.config, { ...options, deleteMoved: true })).toBe(0)
  expect([await listLocal(), await listKeys()]).toEqual([['1-1.mp3'], []])
})

test('lists recordings while the bucket fails, and answers 503 to downloads', async () => {
  await addRecording()
  upload()
  await expect.poll(listLocal).toEqual([])
  server.setFault((_request, response) => {
    response.writeHead(403).end()
    return true
  })
  expect([await listShows(), (await download()).statusCode]).toEqual([1, 503])
})

test('deletes a recording although the bucket fails', async () => {
  await addRecording()
  upload()
  await expect.poll(listLocal).toEqual([])
  const token = await site.createToken('admin@example.org', 'admin')
  server.setFault((_request, response) => {
    response.writeHead(403).end()
    return true
  })
  expect((await callApi(site, 'DELETE', '/api/radio/broadcasts/1', { token })).status).toBe(200)
  expect(await listShows()).toBe(0)
})

test('deletes expired recordings and orphans in the bucket', async () => {
  await addRecording()
  upload()
  await expect.poll(listLocal).toEqual([])
  await server.bucket().put('recordings/7-1.mp3', sound)
  await server.bucket().put('recordings/mine.mp3', sound)
  const later = () => new Date(Date.now() + 3 * DAY_MS)
  const config = { ...site.app.services.config, recordings: { bytes: 1e9, days: 1 } }
  await cleanUpRecordings({ ...site.app.services, config, log, now: later } as never)
  expect(await listKeys()).toEqual([`mine.mp3 ${sound.length}`])
  expect(await listShows()).toBe(0)
})
