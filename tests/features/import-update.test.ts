import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { event } from '#db/schema/index.ts'
import { moveThread } from '#server/features/board/write/moveThread.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { openJschanExport } from '#server/import/source/jschan.ts'
import { openMirror, openVichanSite } from '#server/import/source/mirror.ts'
import { setPause } from '#server/import/source/readPolitely.ts'
import { openVichanDump } from '#server/import/source/vichan.ts'
import type { ImportOptions, ImportSource } from '#server/import/types.ts'
import { callApi, createBoard, postComment } from '#tests/helpers/apiCalls.ts'
import { readRows, withDatabase } from '#tests/helpers/backupSite.ts'
import { startFeedServer } from '#tests/helpers/feedServer.ts'
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

let site: TestSite
let folder: string
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = await writeFolder({})
})
afterEach(async () => {
  await emptySite(site)
  await rm(folder, { recursive: true, force: true })
})

async function run(source: ImportSource, options: Partial<ImportOptions> = {}) {
  const collected = collectProblems(options)
  const counts = await importBoards(site.app.services, source, collected.options)
  return { counts, problems: collected.problems }
}
async function runDump(rows: object[], options: Partial<ImportOptions> = {}) {
  await addFiles(folder, { 'dump.sql': vichanDump({ b: rows as Record<string, unknown>[] }) })
  return run(openVichanDump(`${folder}/dump.sql`, [], folder), options)
}
const get = async (path: string) => site.app.inject(`/api/dtpchan/boards/b/threads/${path}`)
const readThread = async (id: number) => JSON.parse((await get(String(id))).body).thread
const rowsOf = () => withDatabase(site, readRows)

const image = (file: string) => JSON.stringify([{ file, name: file }])
const BEFORE = [
  { id: 1, subject: 'One', body: 'first text' },
  { id: 2, thread: 1, body: 'rude text', files: image('2.png') },
  { id: 3, thread: 1, body: 'deleted later' },
  { id: 4, subject: 'Spam' },
  { id: 5, thread: 4 },
  { id: 6, subject: 'Six', body: 'x' },
  { id: 7, thread: 6, body: 'see >>1', files: image('7.png') },
]
const AFTER = [
  { id: 1, subject: 'Uno', body: 'edited', locked: 1 },
  { id: 2, thread: 1, body: 'rude text', files: image('deleted') },
  { id: 6, subject: 'Six', body: 'x', sticky: 1 },
  { id: 7, thread: 6, body: 'saw >>2', files: image('7.png') },
]

async function addImages() {
  const bytes = new Uint8Array(await stillImage(300, 200).png().toBuffer())
  await addFiles(folder, { 'b/src/2.png': bytes, 'b/src/7.png': bytes })
}

test('counts what the source has changed and deleted, and changes nothing', async () => {
  await addImages()
  await runDump(BEFORE)
  expect((await runDump(BEFORE)).problems).toEqual([])
  const before = await rowsOf()
  const problems = [
    '/b/: 3 posts are public here, but no longer in the source: 3, 4, 5. --update takes this over',
    '/b/: 1 post has images that the source has deleted: 2. --update takes this over',
    '/b/: 2 posts have another text in the source: 1, 7. --update takes this over',
    '/b/: 2 threads have another state in the source: 1, 6. --update takes this over',
  ]
  expect((await runDump(AFTER)).problems).toEqual(problems)
  expect((await runDump(AFTER, { update: true, dryRun: true })).problems).toEqual(problems)
  expect(await rowsOf()).toEqual(before)
})

test('takes over deleted posts, threads and images, edited texts, locks and pins', async () => {
  await addImages()
  await runDump(BEFORE)
  const { picture } = (await readThread(1)).comments[0]
  expect(await runDump(AFTER, { update: true })).toEqual({
    counts: { boards: 1, threads: 0, posts: 0, images: 0, updated: 8 },
    problems: [],
  })
  expect(await readThread(1)).toMatchObject({
    ...{ title: 'Uno', content: 'edited', locked: true, commentCount: 1, quotedBy: [] },
    comments: [{ id: 2, content: 'rude text', picture: null, quotedBy: [{ id: 7 }] }],
  })
  expect(await readThread(6)).toMatchObject({ pinned: true, comments: [{ id: 7, content: 'saw >>2' }] })
  expect((await readThread(6)).comments[0].picture).not.toBeNull()
  expect([(await get('4')).statusCode, (await site.app.inject(picture.url)).statusCode]).toEqual([404, 404])
  const found = async (words: string) =>
    JSON.parse((await site.app.inject(`/api/dtpchan/search?q=${words}`)).body).hits.map(
      ({ postId }: { postId: number }) => postId,
    )
  expect([await found('edited'), await found('first'), await found('Uno')]).toEqual([[1], [], [1]])
  expect(await runDump(AFTER, { update: true })).toMatchObject({ counts: { updated: 0 }, problems: [] })
})

test('takes over locked bumps and cyclical threads, and keeps them if the source does not know them', async () => {
  await runDump([{ id: 1, sage: 1 }, { id: 2, cycle: 1 }, { id: 3 }])
  const { counts } = await runDump([{ id: 1 }, { id: 2 }, { id: 3, sage: 1, cycle: 1 }], { update: true })
  expect(counts).toMatchObject({ updated: 3 })
  const flagsOf = async (id: number) => {
    const { bumplocked, cyclical } = await readThread(id)
    return [bumplocked, cyclical]
  }
  expect([await flagsOf(1), await flagsOf(2), await flagsOf(3)]).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ])
  // 4chan's format has neither.
  await addFiles(folder, { 'b/thread/3.json': fourchanThread(3, [], { time: 1_500_000_000, com: 'text' }) })
  expect((await run(openFolder(folder, []))).problems.join()).not.toContain('another state')
})

describe('a quote of another number', () => {
  const link = (number: number) => `<a href="/b/res/1.html#${number}">&gt;&gt;${number}</a>`
  const elsewhere = (number: number) => `<a href="/c/res/1.html#${number}">&gt;&gt;&gt;/c/${number}</a>`
  const b = (own: number, other: number) => [
    { id: 1 },
    { id: 2, thread: 1 },
    { id: 3, thread: 1, body: `${link(own)} ${elsewhere(other)}` },
  ]
  const c = [{ id: 1 }, { id: 2, thread: 1 }]
  const runBoth = async (rows: object[], boards: string[] = [], options: Partial<ImportOptions> = {}) => {
    await addFiles(folder, { 'dump.sql': vichanDump({ b: rows, c } as Record<string, Record<string, unknown>[]>) })
    return run(openVichanDump(`${folder}/dump.sql`, boards, null), options)
  }

  test('is an edit, on the same board and on others', async () => {
    await runBoth(b(1, 1))
    expect((await runBoth(b(2, 1), [], { update: true })).counts).toMatchObject({ updated: 1 })
    expect((await readThread(1)).comments[1]).toMatchObject({ content: '>>2 >>4', quotes: [{ id: 2 }, { id: 4 }] })
    expect((await runBoth(b(2, 2), [], { update: true })).counts).toMatchObject({ updated: 1 })
    expect((await readThread(1)).comments[1]).toMatchObject({ content: '>>2 >>5' })
  })

  test('is none if only the boards of the run differ', async () => {
    await runBoth(b(1, 1), ['b'])
    expect((await readThread(1)).comments[1]).toMatchObject({ content: '>>1 >>>/c/1' })
    expect((await runBoth(b(1, 1))).problems).toEqual([])
    expect((await runBoth(b(1, 1), ['b'])).problems).toEqual([])
    await emptySite(site)
    await runBoth(b(1, 1))
    expect((await runBoth(b(1, 1), ['b'])).problems).toEqual([])
  })
})

describe('a thread that has moved to another board here', () => {
  const move = async (postId: number) => {
    const token = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'Other', token)
    const json = { boardId: 'b', postId, action: 'move', toBoard: 'other' }
    await callApi(site, 'POST', '/api/moderation/act', { token, json })
  }
  const boardsOfEvents = async () => {
    const events = await site.app.services.db.select().from(event)
    return [...new Set(events.map(({ topic }) => topic).filter((topic) => topic.startsWith('board:')))]
  }

  test('takes new posts, edits and deletions, and tells readers of its new board', async () => {
    const { db } = site.app.services
    await addImages()
    const rows = [
      { id: 1, sticky: 1 },
      { id: 2, thread: 1, body: 'old' },
      { id: 3, thread: 1 },
    ]
    await runDump(rows)
    await move(1)
    await db.delete(event)
    await runDump([...rows, { id: 7, thread: 1, files: image('later.png') }])
    expect(await boardsOfEvents()).toEqual(['board:other'])
    await db.delete(event)
    await addFiles(folder, { 'b/src/later.png': new Uint8Array(await stillImage(300, 200).png().toBuffer()) })
    const after = [
      { id: 1, sticky: 1, locked: 1 },
      { id: 2, thread: 1, body: 'new' },
      { id: 7, thread: 1, files: image('later.png') },
    ]
    expect((await runDump(after, { update: true })).counts).toMatchObject({ images: 1, updated: 3 })
    expect(await boardsOfEvents()).toEqual(['board:other'])
    const { body } = await site.app.inject('/api/dtpchan/boards/other/threads/1')
    expect(JSON.parse(body).thread).toMatchObject({
      ...{ locked: true, pinned: false },
      comments: [{ id: 2, content: 'new' }, { id: 7 }],
    })
    const [entry] = JSON.parse((await site.app.inject('/api/moderation/log')).body).entries
    expect(entry).toMatchObject({ action: 'delete', boardId: 'other' })
  })

  test('takes an edit that waits for the move to end', async () => {
    const { services } = site.app
    await runDump([{ id: 1, body: 'old' }])
    await createBoard(site, 'Other', await site.createToken('admin@example.org', 'admin'))
    await services.db.delete(event)
    let updated: ReturnType<typeof runDump> | undefined
    await services.db.transaction(async (tx) => {
      await moveThread(services, tx, { threadId: 1, from: 'b', to: 'other' })
      await tx.delete(event)
      updated = runDump([{ id: 1, body: 'new' }], { update: true })
      const waiting = () => tx.execute('select 1 from pg_locks where not granted')
      await expect.poll(async () => (await waiting()).length).toBe(1)
    })
    expect((await updated)?.counts).toMatchObject({ updated: 1 })
    expect(await boardsOfEvents()).toEqual(['board:other'])
  })

  test('is not taken for deleted from its new board, when an export of this site is imported again', async () => {
    const own = { dtp_text: 'text', dtp_time: 1_500_000_000_000 }
    await addFiles(folder, {
      'boards.json': { boards: [{ board: 'b' }, { board: 'other' }] },
      'b/thread/1.json': fourchanThread(1, [{ no: 2, ...own }], own),
      'other/thread/3.json': fourchanThread(3, [], own),
    })
    await run(openFolder(folder, []))
    await move(1)
    expect(await run(openFolder(folder, []), { update: true })).toMatchObject({ counts: { updated: 0 }, problems: [] })
    expect(JSON.parse((await site.app.inject('/api/dtpchan/boards/other/threads/1')).body).thread.commentCount).toBe(1)
  })
})

test('shows changed texts and images to clients of the JSON, and on open pages of quoted posts', async () => {
  const { db } = site.app.services
  const rows = (body: string) => [
    { id: 1 },
    { id: 2, body: 'x' },
    { id: 3, body: 'x' },
    { id: 4, body, files: image('4.png') },
  ]
  const readModified = async () => {
    const [page] = (await site.app.inject('/b/threads.json')).json()
    return page.threads.find(({ no }: { no: number }) => no === 4).last_modified
  }
  const changedPosts = async () =>
    (await db.select().from(event)).flatMap(({ change }) => (change as { postId?: number }).postId ?? [])
  await runDump(rows('see >>1 >>2'))
  const [imported, start] = [await readModified(), Date.now()]
  try {
    site.setNow(new Date(start + 60_000))
    await db.delete(event)
    await runDump(rows('saw >>2 >>3'), { update: true })
    const edited = await readModified()
    expect(edited).toBeGreaterThan(imported)
    expect((await changedPosts()).sort()).toEqual([1, 2, 3, 4])

    site.setNow(new Date(start + 120_000))
    await addFiles(folder, { 'b/src/4.png': new Uint8Array(await stillImage(300, 200).png().toBuffer()) })
    expect((await runDump(rows('saw >>2 >>3'))).counts).toMatchObject({ images: 1 })
    expect(await readModified()).toBeGreaterThan(edited)
  } finally {
    site.setNow(null)
  }
})

test('takes no posts of a board for deleted when it plans the first import into it', async () => {
  await runDump(BEFORE)
  await addFiles(folder, { 'other.sql': vichanDump({ c: [{ id: 1 }, { id: 7, thread: 1 }] }) })
  const { problems } = await run(openVichanDump(`${folder}/other.sql`, [], null), { into: 'b', dryRun: true })
  expect(problems).toEqual([])
})

test('restores nothing that was removed here, and keeps posts of this site', async () => {
  await runDump(BEFORE)
  const { body } = await postComment(site, { boardId: 'b', threadId: 1 })
  await runDump(AFTER, { update: true })
  expect((await readThread(1)).comments).toMatchObject([{ id: 2 }, { id: body.comment.id }])
  // The old site restored the posts.
  expect((await runDump(BEFORE)).counts).toMatchObject({ threads: 0, posts: 0 })
})

test('knows images only by their number if an earlier version has imported them', async () => {
  await addImages()
  const both = { id: 2, thread: 1, files: JSON.stringify([{ file: '2.png' }, { file: '7.png' }]) }
  await runDump([{ id: 1 }, both])
  await site.app.services.db.execute('delete from imported_image')
  expect((await runDump([{ id: 1 }, both])).problems).toEqual([])
  const { counts } = await runDump([{ id: 1 }, { ...both, files: image('7.png') }], { update: true })
  expect(counts).toMatchObject({ images: 1, updated: 1 })
  const [comment] = (await readThread(1)).comments
  expect([comment.picture !== null, comment.pictures]).toEqual([true, undefined])
  expect((await site.app.inject('/b/thread/1.json')).json().posts[1]).not.toHaveProperty('filedeleted')
})

test('takes nothing for deleted that it cannot read, or that another source has', async () => {
  await addFiles(folder, {
    'b/thread/1.json': fourchanThread(1, [{ no: 2 }]),
    'b/thread/5.json': fourchanThread(5, [{ no: 6 }]),
  })
  await run(openFolder(folder, []))
  await addFiles(folder, { 'b/thread/5.json': '{broken' })
  const broken = '/b/5: thread left out: its file is not JSON of a thread'
  expect(await run(openFolder(folder, []), { update: true })).toMatchObject({
    counts: { updated: 0 },
    problems: [broken],
  })
  await addFiles(folder, { 'b/thread/1.json': fourchanThread(1, [], { time: 5 }) })
  expect(await run(openFolder(folder, []), { update: true })).toMatchObject({
    counts: { updated: 0 },
    problems: [broken],
  })
  expect([(await readThread(1)).commentCount, (await readThread(5)).commentCount]).toEqual([1, 1])
})

test('notices deleted posts in a thread whose opening post has lost its video or its time', async () => {
  const openings = [
    { id: 1, embed: 'no video' },
    { id: 3, time: 0 },
  ]
  await runDump([openings[0], { id: 2, thread: 1 }, openings[1], { id: 4, thread: 3 }] as object[])
  const { counts, problems } = await runDump(openings)
  expect(problems).toEqual([
    '/b/1: video left out: it has no URL',
    '/b/3: time of another post used: its own is not valid',
    '/b/: 2 posts are public here, but no longer in the source: 2, 4. --update takes this over',
  ])
  expect(counts).toMatchObject({ posts: 0 })
})

test('takes nothing for deleted if a line of the source cannot be read', async () => {
  const post = (postId: number, thread: number | null) =>
    JSON.stringify({ postId, thread, board: 'b', date: '2021-10-02T23:15:42.675Z', message: 'x' })
  const boards = JSON.stringify({ _id: 'b', settings: {} })
  await addFiles(folder, { 'boards.json': boards, 'posts.json': [post(1, null), post(2, 1)].join('\n') })
  await run(openJschanExport(folder, [], null))
  await addFiles(folder, { 'posts.json': `${post(1, null)}\n{cut` })
  expect((await run(openJschanExport(folder, [], null), { update: true })).counts).toMatchObject({ updated: 0 })
  await addFiles(folder, { 'posts.json': post(1, null) })
  expect((await run(openJschanExport(folder, [], null), { update: true })).counts).toMatchObject({ updated: 1 })
  expect((await readThread(1)).commentCount).toBe(0)
})

test('notices threads that the old site lists no longer', async () => {
  setPause(1)
  const old = await startFeedServer()
  const serve = (path: string, content: unknown) => old.set(path, { body: JSON.stringify(content) })
  const { fetcher } = site.app.services
  const copy = openMirror({ fetcher, folder, report: () => {}, progress: () => {} }, old.url)
  const importAll = async () => {
    return run(await openVichanSite(copy, ['b']))
  }
  try {
    serve('/b/threads.json', [{ threads: [{ no: 1 }, { no: 3 }] }])
    serve('/b/res/1.json', fourchanThread(1, [{ no: 2 }]))
    serve('/b/res/3.json', fourchanThread(3))
    expect((await importAll()).counts).toMatchObject({ posts: 3 })
    serve('/b/threads.json', [{ threads: [{ no: 3 }] }])
    expect((await importAll()).problems).toEqual([
      '/b/: 2 posts are public here, but no longer in the source: 1, 2. --update takes this over',
    ])
    // A list that is missing says nothing.
    old.set('/b/threads.json', { status: 404 })
    expect((await importAll()).problems).toHaveLength(1)
  } finally {
    await old.close()
    setPause(1000)
  }
})
