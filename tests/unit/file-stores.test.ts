import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBucketStore } from '#server/core/storage/bucketStore.ts'
import { combineStores } from '#server/core/storage/combinedStore.ts'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'

let root: string
let server: BucketServer
let places = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  server = await startBucketServer()
})
afterAll(async () => {
  await server.close()
  await rm(root, { recursive: true })
})

const createFolder = () => createFileStore(join(root, String(places++)))
const createBucket = () => createBucketStore(server.bucket(String(places++)))
const stores: [string, () => FileStore][] = [
  ['a folder', createFolder],
  ['a bucket', createBucket],
  ['a bucket, with a folder before', () => combineStores(createBucket(), createFolder())],
]

const list = async (store: FileStore) => {
  const found: string[] = []
  for await (const { name, size } of store.list()) found.push(`${name} ${size}`)
  return found.sort()
}
const read = async (store: FileStore, name: string, range?: { start: number; end: number }) => {
  const content = await (await store.open(name))?.stream(range)
  return content ? (await buffer(content)).toString() : null
}
const readWhole = async (store: FileStore, name: string) => {
  const file = await store.read(name)
  return file && `${file.size} ${await buffer(file.content)}`
}

test.each(stores)('%s stores, reads, hides, shows, lists and removes files', async (_name, create) => {
  const store = create()
  expect([await store.open('no.png'), await store.read('no.png'), await list(store)]).toEqual([null, null, []])
  await store.put('abc-_9.preview.webp', Buffer.from('0123456789'))
  await store.put('b.png', Buffer.from('b'))
  const file = await store.open('abc-_9.preview.webp')
  expect(file?.size).toBe(10)
  expect(Math.abs(Date.now() - Number(file?.modified))).toBeLessThan(60_000)
  expect(await readWhole(store, 'abc-_9.preview.webp')).toBe('10 0123456789')
  expect(await read(store, 'abc-_9.preview.webp')).toBe('0123456789')
  expect(await read(store, 'abc-_9.preview.webp', { start: 2, end: 4 })).toBe('234')

  await store.withhold(['b.png', 'missing.png', '../b.png'])
  expect(await store.open('b.png')).toBeNull()
  expect(await readWhole(store, 'b.png.withheld')).toBe('1 b')
  expect(await list(store)).toEqual(['abc-_9.preview.webp 10', 'b.png.withheld 1'])
  await store.release(['b.png', 'missing.png'])
  expect(await list(store)).toEqual(['abc-_9.preview.webp 10', 'b.png 1'])

  const opened = await store.open('b.png')
  await store.remove(['b.png', 'missing.png', '../b.png', 'b.png'])
  expect([await opened?.stream(), await store.read('b.png')]).toEqual([null, null])
  for (const name of ['../b.png', '', 'a/b.png', 'a.PNG', `${'a'.repeat(5000)}.png`]) {
    expect([await store.open(name), await store.read(name)]).toEqual([null, null])
    await expect(store.put(name, Buffer.from('x'))).rejects.toThrow('its name is invalid')
  }
  expect(await list(store)).toEqual(['abc-_9.preview.webp 10'])
  await store.clearTemporary(0)
  await store.check()
})
