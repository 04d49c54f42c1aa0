import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import { moveFiles } from '#server/core/storage/moveFiles.ts'
import { combineStores, createBucketStore } from '#server/core/storage/openStores.ts'
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

test('renames in a bucket within a short time', async () => {
  const store = createBucketStore(server.bucket('slow', { callMs: { read: 500, write: 20_000, part: 20_000 } }))
  await store.put('a.png', Buffer.from('a'))
  server.setFault(({ method }) => method === 'DELETE')
  await expect(store.withhold(['a.png'])).rejects.toThrow('did not answer DeleteObject within 500 ms')
  server.setFault(null)
})

const options = { deleteMoved: false, signal: new AbortController().signal, progress: () => {} }
const moves: [string, () => FileStore, () => FileStore][] = [
  ['a folder to a bucket', createFolder, createBucket],
  ['a bucket to a folder', createBucket, createFolder],
]

test.each(moves)('moves files from %s, while the site changes them', async (_name, createFrom, createTo) => {
  const [from, to] = [createFrom(), createTo()]
  const site = combineStores(to, from)
  const names = ['a.png', 'b.png', 'c.png', 'd.png.withheld', 'e.png']
  for (const name of names) await from.put(name, Buffer.from(name))
  await site.put('new.png', Buffer.from('new'))
  expect((await list(site)).length).toBe(6)

  // The site changes files after the mover has read them, and before it stores the copies.
  const changed: FileStore = {
    ...to,
    async put(name, bytes) {
      if (name === 'a.png') await site.remove([name])
      if (name === 'b.png') await site.withhold([name])
      if (name === 'd.png.withheld') await site.release(['d.png'])
      await to.put(name, bytes)
    },
  }
  const watched: FileStore = {
    ...from,
    async open(name) {
      const file = await from.open(name)
      // Too late for the mover, which looks whether the original is still there.
      if (name === 'c.png') await site.withhold([name])
      return file
    },
  }
  expect(await moveFiles(watched, changed, options)).toMatchObject({ copied: 2, present: 0, gone: 3, deleted: 0 })
  expect(await list(to)).toEqual(['c.png.withheld 5', 'e.png 5', 'new.png 3'])
  for (const name of ['a.png', 'b.png', 'c.png', 'd.png.withheld']) expect(await site.open(name)).toBeNull()

  expect(await moveFiles(from, to, options)).toMatchObject({ copied: 2, present: 2, gone: 0 })
  // A copy that differs is replaced before the original is deleted.
  await to.put('e.png', Buffer.from('E.PNG'))
  expect(await moveFiles(from, to, { ...options, deleteMoved: true })).toMatchObject({
    copied: 1,
    present: 3,
    deleted: 4,
  })
  expect(await list(from)).toEqual([])
  expect(await list(to)).toEqual(['b.png.withheld 5', 'c.png.withheld 5', 'd.png 14', 'e.png 5', 'new.png 3'])
  expect(await readWhole(site, 'e.png')).toBe('5 e.png')
})

test('finds files during a move, wherever they are', async () => {
  const [from, to] = [createFolder(), createBucket()]
  const site = combineStores(to, from)
  await from.put('a.png', Buffer.from('0123'))
  const opened = await site.open('a.png')
  await moveFiles(from, to, { ...options, deleteMoved: true })
  const content = await opened?.stream({ start: 1, end: 2 })
  expect(content && (await buffer(content)).toString()).toBe('12')
  expect([await readWhole(site, 'a.png'), await list(site)]).toEqual(['4 0123', ['a.png 4']])
})

test('finds a file that is moved during the search, and changes the previous place first', async () => {
  const calls: string[] = []
  const watch = (name: string, store: FileStore): FileStore => ({
    ...store,
    remove: async (names) => void calls.push(`${name} ${[...names]}`),
    withhold: async (names) => void calls.push(`${name} hide ${[...names]}`),
    release: async (names) => void calls.push(`${name} show ${[...names]}`),
  })
  const current = createFolder()
  const previous: FileStore = {
    ...createFolder(),
    async open(name) {
      await current.put(name, Buffer.from('moved'))
      return null
    },
  }
  const site = combineStores(watch('current', current), watch('previous', previous))
  expect((await site.open('a.png'))?.size).toBe(5)
  const names = ['a', 'b'].values()
  await site.remove(names)
  await site.withhold(['a'])
  await site.release(['a'])
  expect(calls).toEqual([
    ...['previous a,b', 'current a,b', 'previous hide a', 'current hide a'],
    ...['previous show a', 'current show a'],
  ])
})

test('refuses to go on when a copy differs, and keeps the originals', async () => {
  const [from, to] = [createFolder(), createBucket()]
  await from.put('a.png', Buffer.from('right'))
  const damaging: FileStore = { ...to, put: (name) => to.put(name, Buffer.from('wrong')) }
  await expect(moveFiles(from, damaging, { ...options, deleteMoved: true })).rejects.toThrow(
    'differs from the original',
  )
  expect([await list(from), await list(to)]).toEqual([['a.png 5'], []])
})
