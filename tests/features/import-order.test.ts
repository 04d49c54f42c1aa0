import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { importBoards } from '#server/import/importBoards.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { openVichanDump } from '#server/import/source/vichan.ts'
import type { ImportOptions, ImportSource } from '#server/import/types.ts'
import { type Rows, readRows, withDatabase } from '#tests/helpers/backupSite.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import {
  addFiles,
  collectProblems,
  emptySite,
  fourchanThread,
  vichanDump,
  writeFolder,
} from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

const THREADS = 7

let site: TestSite
let folder: string
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
afterEach(async () => {
  await emptySite(site)
  await rm(folder, { recursive: true, force: true })
})

/** Imports a source. Returns the counts, the problems and the lines of progress. */
async function run(source: ImportSource, options: Partial<ImportOptions> = {}) {
  const lines: string[] = []
  const collected = collectProblems({ progress: (line) => void lines.push(line), ...options })
  const counts = await importBoards(site.app.services, source, collected.options)
  return { counts, problems: collected.problems, lines }
}

/** Writes a dump with the rows in the given order. */
async function writeDump(numbers: number[]): Promise<ImportSource> {
  const rows = numbers.map((id) => ({
    id,
    thread: id <= THREADS ? null : (id % THREADS) + 1,
    body: `post ${id}`,
    time: 1_500_000_000 + id,
    locked: id === 2 ? 1 : 0,
  }))
  folder ??= await writeFolder({})
  await addFiles(folder, { 'dump.sql': vichanDump({ q: rows }) })
  return openVichanDump(join(folder, 'dump.sql'), [], null)
}
const numbersTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const rowsOf = async () => {
  const { post, thread, imported_thread }: Rows = await withDatabase(site, readRows)
  return { post, thread, imported_thread }
}
/** Leaves out when threads changed: a thread that arrives in several parts has changed at the time of the import. */
const contentOf = async () => {
  const { thread = [], ...rows } = await rowsOf()
  return { ...rows, thread: thread.map((row) => ({ ...JSON.parse(row), changed_at: null })) }
}

describe('dump with posts of several threads in turn', () => {
  test.runIf(isDeep)('imports all posts, and only new ones in the next run', async () => {
    folder = await writeFolder({})
    const counts = { boards: 1, threads: THREADS, posts: 4500, images: 0 }
    expect(await run(await writeDump(numbersTo(4500)), { dryRun: true })).toMatchObject({ counts, problems: [] })
    expect(await run(await writeDump(numbersTo(4500)))).toMatchObject({ counts, problems: [] })
    const now = new Date(Date.now() + 60_000)
    site.setNow(now)
    expect(await run(await writeDump(numbersTo(4600)))).toMatchObject({
      counts: { threads: 0, posts: 100 },
      problems: [],
    })
    site.setNow(null)
    const threads = (await rowsOf()).thread?.map((row) => JSON.parse(row)) ?? []
    expect(threads.reduce((sum, { comment_count }) => sum + comment_count, 0)).toBe(4600 - THREADS)
    expect(new Set(threads.map(({ changed_at }) => Date.parse(changed_at)))).toEqual(new Set([now.getTime()]))
  })

  test.runIf(isDeep)('imports rows that are not in the order of their numbers like those that are', async () => {
    folder = await writeFolder({})
    await run(await writeDump(numbersTo(4500)))
    const ordered = await contentOf()
    await emptySite(site)
    // The first thread's rows are in a gap of the table, and some answers are before all opening posts.
    const shuffled = [...numbersTo(4500, 2400), ...numbersTo(2300, 2), 1, ...numbersTo(2399, 2301)]
    expect(await run(await writeDump(shuffled))).toMatchObject({
      counts: { threads: THREADS, posts: 4500 },
      problems: [],
    })
    expect(await contentOf()).toEqual(ordered)
    expect((await run(await writeDump([4501, ...shuffled]))).counts).toMatchObject({ threads: 0, posts: 1 })
  })

  test('lists posts whose number is lower than that of their thread', async () => {
    folder = await writeFolder({
      'dump.sql': vichanDump({
        q: [
          { id: 3, thread: 5 },
          { id: 5, thread: null },
          { id: 6, thread: 5 },
        ],
      }),
    })
    expect(await run(openVichanDump(join(folder, 'dump.sql'), [], null))).toMatchObject({
      counts: { threads: 1, posts: 2 },
      problems: ['/q/3: post left out: its number is lower than that of its thread'],
    })
  })
})

describe('times in the future', () => {
  test('become the time of the import, and the thread takes more posts in the next run', async () => {
    const future = Date.now() / 1000 + 3600
    const opening = { time: future, archived: 1, archived_on: future }
    folder = await writeFolder({ 'b/thread/1.json': fourchanThread(1, [{ no: 2, time: 9e15 }], opening) })
    expect((await run(openFolder(folder, []))).counts).toMatchObject({ posts: 2 })
    const { post = [], thread = [] } = await rowsOf()
    const { archived_at, last_activity } = JSON.parse(String(thread[0]))
    const times = [archived_at, last_activity, ...post.map((row) => JSON.parse(row).created_at)]
    for (const time of times) expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
    await addFiles(folder, { 'b/thread/1.json': fourchanThread(1, [{ no: 2 }, { no: 3 }], opening) })
    expect(await run(openFolder(folder, []))).toMatchObject({ counts: { posts: 1 }, problems: [] })
    const other = fourchanThread(1, [{ no: 4 }], { time: future + 1 })
    await addFiles(folder, { 'b/thread/1.json': other })
    expect((await run(openFolder(folder, []))).problems).toEqual([
      '/b/4: post left out: another thread with this number was imported into this board',
    ])
  })
})

describe('missing images', () => {
  const file = (tim: number) => ({ tim, ext: '.png' })
  const thread = fourchanThread(
    1,
    [
      { no: 2, ...file(2), extra_files: [3, 4, 5].map(file), spoiler: 1 },
      { no: 3, ...file(6), spoiler: 1 },
      { no: 4, ...file(7) },
      { no: 5, ...file(8) },
      { no: 6, ...file(9) },
    ],
    file(1),
  )
  const imagesOf = async () => {
    const { post = [], thread = [], missing_image = [] } = await withDatabase(site, readRows)
    const images = post.map((row) => {
      const { id, image, more_images, spoiler } = JSON.parse(row)
      const widths = [image, ...(more_images ?? [])].flatMap((one) => one?.width ?? [])
      return [id, widths.join(' '), spoiler]
    })
    return {
      images: images.sort(([a], [b]) => a - b),
      count: JSON.parse(thread[0] ?? '{}').image_count,
      missing: missing_image.map((row) => JSON.parse(row).name),
    }
  }
  const png = (width: number) => stillImage(width, 200).png().toBuffer()

  test('are added by the next run, but none that a moderator deleted', async () => {
    folder = await writeFolder({ 'b/thread/1.json': thread, 'b/3.png': await png(303), 'b/7.png': await png(307) })
    await addFiles(folder, { 'b/9.png': 'not an image' })
    expect((await run(openFolder(folder, []))).counts).toMatchObject({ posts: 6, images: 2 })
    const { db } = site.app.services
    await db.execute(sql`update post set image_id = null, image = null where id = 4`)
    await db.execute(sql`delete from post where id = 5`)
    const found = [1, 2, 4, 5, 6, 7, 8].map(async (tim) => [`b/${tim}.png`, await png(300 + tim)] as const)
    await addFiles(folder, { ...Object.fromEntries(await Promise.all(found)), 'b/5.png': 'broken' })
    expect((await run(openFolder(folder, []), { dryRun: true })).counts).toMatchObject({ posts: 0, images: 5 })
    const invalid = 'left out: Please select a valid image file (JPEG, PNG, GIF, or WebP)'
    expect(await run(openFolder(folder, []))).toMatchObject({
      counts: { posts: 0, images: 4 },
      problems: [`/b/2: image b/5.png ${invalid}`],
    })
    const expected = {
      images: [
        [1, '301', false],
        [2, '303 302 304', true],
        [3, '306', true],
        [4, '', false],
        [6, '', false],
      ],
      count: 5,
      missing: ['b/8.png'],
    }
    expect(await imagesOf()).toEqual(expected)
    expect(await run(openFolder(folder, []))).toMatchObject({ counts: { posts: 0, images: 0 }, problems: [] })
    expect(await imagesOf()).toEqual(expected)
  })

  test('are not taken from another thread with the same number', async () => {
    folder = await writeFolder({ 'b/thread/1.json': fourchanThread(1, [], file(1)) })
    await run(openFolder(folder, []))
    await addFiles(folder, {
      'b/thread/1.json': fourchanThread(1, [], { ...file(1), time: 5 }),
      'b/1.png': await png(300),
    })
    expect((await run(openFolder(folder, []))).counts).toMatchObject({ images: 0 })
  })
})

describe('long threads', () => {
  test('imports at most 600 posts in a transaction', async () => {
    const answers = numbersTo(2500, 2).map((no) => ({ no }))
    folder = await writeFolder({ 'b/thread/1.json': fourchanThread(1, answers) })
    const { counts, problems, lines } = await run(openFolder(folder, []))
    expect([counts.threads, counts.posts, problems]).toEqual([1, 2500, []])
    const written = lines.flatMap((line) => /^Importing: ([\d,]+) of 2,500 posts/.exec(line)?.[1] ?? [])
    const steps = [0, ...written.map((count) => Number(count.replace(',', '')))]
    expect(steps.at(-1)).toBe(2500)
    for (const [at, step] of steps.slice(1).entries()) expect(step - (steps[at] ?? 0)).toBeLessThanOrEqual(600)
    expect((await run(openFolder(folder, []), { dryRun: true })).counts).toMatchObject({ threads: 0, posts: 0 })
    await emptySite(site)
    expect(await run(openFolder(folder, []), { dryRun: true })).toMatchObject({
      counts: { threads: 1, posts: 2500 },
      problems: [],
    })
  })
})

describe('command', () => {
  const runImport = (...args: string[]) => runCommand(place, ['import', ...args])
  let place: TestDatabase
  beforeAll(async () => {
    place = await testDatabase()
  })
  afterAll(() => place.cleanup())

  test('rejects a folder of images that it cannot read, before it imports anything', async () => {
    folder = await writeFolder({ 'dump.sql': vichanDump({ q: [{ id: 1, thread: null }] }), file: 'x' })
    const dump = join(folder, 'dump.sql')
    for (const [name, reason] of [
      ['none', 'does not exist'],
      ['file', 'is not a folder'],
    ] as const) {
      const files = join(folder, name)
      expect(await runImport('vichan', dump, '--files', files)).toEqual({
        code: 1,
        output: `Cannot import: the folder ${files} of --files ${reason}\n`,
      })
    }
    expect((await runImport('vichan', dump, '--files', folder)).output).toContain('Imported 1 board, 1 thread, 1 post')
  })

  test.each([
    ['vichan', 'none.sql', 'does not exist'],
    ['vichan', 'file/dump.sql', 'does not exist'],
    ['vichan', '.', 'is a folder, not a file'],
    ['vichan', 'cut.sql.gz', 'is incomplete: its compressed data ends too early'],
    ['vichan', 'plain.sql.gz', 'is damaged, or is not compressed with gzip'],
    ['4chan-json', 'file', 'is not a folder'],
  ])('says in one sentence that %s cannot read %s', async (format, name, reason) => {
    folder = await writeFolder({
      file: 'x',
      'plain.sql.gz': 'x'.repeat(100),
      'cut.sql.gz': gzipSync(vichanDump({ q: [{ id: 1 }] })).subarray(0, -20),
    })
    const path = join(folder, name)
    expect(await runImport(format, path)).toEqual({ code: 1, output: `Cannot import: ${path} ${reason}\n` })
  })
})
