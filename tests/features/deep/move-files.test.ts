import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import { createBucketStore } from '#server/core/storage/openStores.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { noiseBytes } from '#tests/helpers/sampleImages.ts'
import { commandEnvironment, runCommand } from '#tests/helpers/siteProcess.ts'

const COUNT = 120
const FILES = Array.from({ length: COUNT }, (_, index) => `${index.toString(16).padStart(24, '0')}.png`)
const contentOf = (name: string) => noiseBytes(2000, 1 + FILES.indexOf(name))

let server: BucketServer
let place: TestDatabase
let folder: FileStore
let bucket: FileStore

beforeAll(async () => {
  server = await startBucketServer()
  place = await testDatabase()
  folder = createFileStore(join(place.dataDir, 'uploads'))
  bucket = createBucketStore(server.bucket())
  for (const name of FILES) await folder.put(name, contentOf(name))
})
afterAll(async () => {
  await server.close()
  await place.cleanup()
})

const list = async (store: FileStore) => {
  const names: string[] = []
  for await (const { name, size } of store.list()) names.push(`${name} ${size}`)
  return names.sort()
}
const all = FILES.map((name) => `${name} 2000`)
const settings = (stores: string) => ({ ...server.settings(), FILE_STORE: stores })
const move = (stores: string, ...args: string[]) =>
  runCommand(place, ['files', 'move', '--to', ...args], '', settings(stores))

test('continues a move that was killed, and moves all files there and back', async () => {
  const refused = await move('folder', 's3')
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('Set FILE_STORE=s3,folder and restart')])

  const env = commandEnvironment(place, settings('s3,folder'))
  const killed = spawn(process.execPath, ['dist/current/site/files.mjs', 'move', '--to', 's3'], { env })
  const exited = once(killed, 'exit')
  await expect.poll(() => server.requests.filter((one) => one.startsWith('PUT')).length).toBeGreaterThan(20)
  killed.kill('SIGKILL')
  await exited
  // Unlike other servers, this one keeps half an object.
  const copied = (await list(bucket)).filter((one) => all.includes(one)).length
  expect(copied).toBeGreaterThan(10)
  expect(copied).toBeLessThan(COUNT)

  const resumed = await move('s3,folder', 's3', '--delete')
  expect([resumed.code, resumed.output]).toEqual([
    0,
    expect.stringMatching(/Copied \d+ files, \d\.\d MB; \d+ were there before\nDeleted 120 originals\nRun it again/),
  ])
  const [, done, present] = /Copied (\d+) files, .*; (\d+) were/.exec(resumed.output) ?? []
  expect(Number(done) + Number(present)).toBe(COUNT)
  expect(Number(present)).toBeGreaterThanOrEqual(copied)
  expect([await list(folder), await list(bucket)]).toEqual([[], all])

  const back = await move('folder,s3', 'folder', '--delete')
  expect(back.output).toContain(`Copied ${COUNT} files, 0.2 MB; 0 were there before\nDeleted ${COUNT} originals`)
  expect([await list(folder), await list(bucket)]).toEqual([all, []])
  for (const name of FILES) {
    const stream = await (await folder.open(name))?.stream()
    expect(Buffer.concat((await stream?.toArray()) ?? [])).toEqual(contentOf(name))
  }
})
