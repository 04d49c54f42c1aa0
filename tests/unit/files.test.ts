import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import { createFileStore, type FileStore } from '#server/core/storage/fileStore.ts'
import { fitInside } from '#src/lib/fitInside.ts'

let root: string
let dir: string
let store: FileStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'))
  dir = join(root, 'uploads')
  store = createFileStore(dir)
})
afterEach(() => rm(root, { recursive: true }))

const names = async () => {
  const found: string[] = []
  for await (const file of store.list()) found.push(file.name)
  return found.sort()
}
const read = async (name: string, range?: { start: number; end: number }) => {
  const file = await store.open(name)
  const content = await file?.stream(range)
  return content ? (await buffer(content)).toString() : null
}

describe('file store', () => {
  it('returns a stored file with its size, time and any range', async () => {
    await store.put('abc-_9.preview.webp', Buffer.from('0123456789'))
    const file = await store.open('abc-_9.preview.webp')
    expect(file?.size).toBe(10)
    expect(Math.abs(Date.now() - Number(file?.modified))).toBeLessThan(60_000)
    expect(await read('abc-_9.preview.webp')).toBe('0123456789')
    expect(await read('abc-_9.preview.webp', { start: 2, end: 4 })).toBe('234')
  })

  it('creates its folder with the first file, readable only by its user', async () => {
    expect(await names()).toEqual([])
    expect(await store.open('no.png')).toBeNull()
    await store.clearTemporary(3_600_000)
    await expect(stat(dir)).rejects.toThrow('ENOENT')
    await store.put('abcdef.png', Buffer.from('x'))
    expect((await stat(join(dir, 'ab'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, 'ab', 'abcdef.png'))).mode & 0o777).toBe(0o600)
  })

  it.each([
    '../secret.txt',
    '..',
    '.hidden',
    'a/b.png',
    'a\\b.png',
    'a.png\0',
    '/etc/passwd',
    'a',
    'a.PNG',
    'a.p/..',
    '',
  ])('rejects the name %j', async (name) => {
    await mkdir(dir)
    await writeFile(join(root, 'secret.txt'), 'secret')
    expect(await store.open(name)).toBeNull()
    await store.remove([name])
    await expect(store.put(name, Buffer.from('x'))).rejects.toThrow('its name is invalid')
    expect(await readdir(root)).toEqual(['secret.txt', 'uploads'])
    expect(await readdir(dir)).toEqual([])
  })

  it('returns no content of a file that is removed after opening it', async () => {
    await store.put('gone.png', Buffer.from('x'))
    const file = await store.open('gone.png')
    await store.remove(['gone.png'])
    expect(await file?.stream()).toBeNull()
  })

  it('finds no file under a name that is too long for a file system', async () => {
    const name = `${'a'.repeat(5000)}.png`
    expect(await store.open(name)).toBeNull()
    await store.remove([name])
  })

  it('shows a complete file or none while it is written', async () => {
    const length = 200_000
    await store.put('same.bin', Buffer.alloc(length, 'a'))
    const writing = Promise.all(['b', 'c', 'd'].map((fill) => store.put('same.bin', Buffer.alloc(length, fill))))
    for (let turn = 0; turn < 50; turn++) {
      const text = (await read('same.bin')) ?? ''
      expect(text).toBe((text[0] ?? '').repeat(length))
      expect(await names()).toEqual(['same.bin'])
    }
    await writing
    expect(await readdir(join(dir, 'sa'))).toEqual(['same.bin'])
  })

  it('leaves no file behind when writing fails', async () => {
    await mkdir(join(dir, 'ta', 'taken.png', 'inside'), { recursive: true })
    await expect(store.put('taken.png', Buffer.from('x'))).rejects.toThrow()
    expect(await readdir(join(dir, 'ta'))).toEqual(['taken.png'])
    expect(await store.open('taken.png')).toBeNull()
    expect(await names()).toEqual([])
  })

  it('removes the named files and lists the others', async () => {
    for (const name of ['aa1.png', 'aa2.png', 'bb1.png', 'c.png']) await store.put(name, Buffer.from(name))
    await store.remove(['aa1.png', 'missing.png', 'bb1.png'])
    expect(await names()).toEqual(['aa2.png', 'c.png'])
    expect(await store.open('aa1.png')).toBeNull()
  })

  it('removes temporary files of interrupted writes, but no recent or stored files', async () => {
    await store.put('ab.png', Buffer.from('x'))
    const old = '.00000000-0000-4000-8000-000000000000.tmp'
    const young = '.11111111-0000-4000-8000-000000000000.tmp'
    for (const name of [old, young]) await writeFile(join(dir, 'ab', name), 'half')
    const past = new Date(Date.now() - 2 * 60 * 60 * 1000)
    for (const name of [old, 'ab.png']) await utimes(join(dir, 'ab', name), past, past)
    expect(await names()).toEqual(['ab.png'])
    await store.clearTemporary(3_600_000)
    expect((await readdir(join(dir, 'ab'))).sort()).toEqual([young, 'ab.png'])
  })
})

describe('semaphore', () => {
  /** Creates work that ends when the test calls `resolve`. */
  const controlled = () => {
    let resolve = (_result: string) => {}
    const promise = new Promise<string>((settle) => {
      resolve = settle
    })
    return { work: () => promise, resolve }
  }
  const createTestSemaphore = (running: number, waiting: number) =>
    createSemaphore({ running, waiting, onFull: () => new Error('full') })

  it('limits concurrent work, keeps its order, and rejects work beyond the queue', async () => {
    const semaphore = createTestSemaphore(2, 2)
    const started: number[] = []
    const jobs = Array.from({ length: 4 }, controlled)
    const results = jobs.map((job, index) =>
      semaphore.run(() => {
        started.push(index)
        return job.work()
      }),
    )
    await expect(semaphore.run(async () => started.push(99))).rejects.toThrow('full')
    expect(started).toEqual([0, 1])
    jobs[1]?.resolve('b')
    expect(await results[1]).toBe('b')
    expect(started).toEqual([0, 1, 2])
    const late = semaphore.run(async () => 'late')
    for (const job of jobs) job.resolve('x')
    expect(await Promise.all(results)).toEqual(['x', 'b', 'x', 'x'])
    expect(await late).toBe('late')
  })

  it('frees the slot of work that fails, also synchronously', async () => {
    const semaphore = createTestSemaphore(1, 0)
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    const throws = () => {
      throw new Error('at once')
    }
    await expect(semaphore.run(throws)).rejects.toThrow('at once')
    expect(await semaphore.run(async () => 1)).toBe(1)
  })
})

describe('fit inside', () => {
  it.each([
    [
      { width: 4000, height: 3000 },
      { width: 800, height: 200 },
      { width: 266, height: 200 },
    ],
    [
      { width: 4000, height: 1000 },
      { width: 800, height: 500 },
      { width: 800, height: 200 },
    ],
    [
      { width: 100, height: 50 },
      { width: 800, height: 500 },
      { width: 100, height: 50 },
    ],
    [
      { width: 1, height: 10_000 },
      { width: 800, height: 500 },
      { width: 1, height: 500 },
    ],
    [
      { width: 800, height: 500 },
      { width: 800, height: 500 },
      { width: 800, height: 500 },
    ],
  ])('%j in %j is %j', (picture, box, size) => {
    expect(fitInside(picture, box)).toEqual(size)
  })
})
