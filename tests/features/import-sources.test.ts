import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importBoards } from '#server/import/importBoards.ts'
import { openJschanExport, openJschanSite } from '#server/import/source/jschan.ts'
import { openLynxchanSite } from '#server/import/source/lynxchan.ts'
import { openMirror, openVichanSite } from '#server/import/source/mirror.ts'
import { setPause } from '#server/import/source/readPolitely.ts'
import { openVichanDump } from '#server/import/source/vichan.ts'
import type { ImportSource } from '#server/import/types.ts'
import { type FeedBehaviour, type FeedServer, startFeedServer } from '#tests/helpers/feedServer.ts'
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
let old: FeedServer
let folder: string
let image: Buffer
beforeAll(async () => {
  site = await startSite()
  image = await stillImage(300, 200).png().toBuffer()
  setPause(1)
})
afterAll(async () => {
  setPause(1000)
  await site.close()
})
beforeEach(async () => {
  old = await startFeedServer()
  folder = await writeFolder({})
})
afterEach(async () => {
  await old.close()
  await emptySite(site)
  await rm(folder, { recursive: true, force: true })
})

async function run(source: ImportSource) {
  const { problems, options } = collectProblems()
  return { counts: await importBoards(site.app.services, source, options), problems }
}
const readThread = async (board: string, id: number) =>
  JSON.parse((await site.app.inject(`/api/dtpchan/boards/${board}/threads/${id}`)).body).thread
const serve = (path: string, content: unknown) =>
  old.set(path, { body: JSON.stringify(content), type: 'application/json' })

/** Opens a mirror of the server; `problems` are those of copying. */
function mirror() {
  const { problems, options } = collectProblems()
  const { fetcher } = site.app.services
  return { problems, copy: openMirror({ fetcher, folder, report: options.report, progress: () => {} }, `${old.url}/`) }
}

describe('vichan over HTTP', () => {
  const thread = fourchanThread(1, [{ no: 2, name: 'A &amp; B', trip: '!x', tim: '15000-1', ext: '.png' }], {
    sub: 'a &lt; b',
    locked: 1,
  })
  beforeEach(() => {
    serve('/boards.json', [{ uri: 'b', title: 'Random', subtitle: 'All & nothing' }])
    serve('/b/threads.json', [
      {
        threads: [
          { no: 1, last_modified: 100 },
          { no: 7, last_modified: 50 },
        ],
        page: 0,
      },
    ])
    serve('/b/res/1.json', thread)
    old.set('/b/src/15000-1.png', { body: new Uint8Array(image), type: 'image/png' })
  })
  const importAll = async () => {
    const { copy, problems } = mirror()
    const imported = await run(await openVichanSite(copy, []))
    return { ...imported, problems: [...problems, ...imported.problems] }
  }

  test('imports boards, threads and images, one request at a time', async () => {
    expect(await importAll()).toEqual({ counts: { boards: 1, threads: 1, posts: 2, images: 1 }, problems: [] })
    expect(old.maxConcurrent()).toBe(1)
    expect(await readThread('b', 1)).toMatchObject({
      title: 'a < b',
      locked: true,
      comments: [{ id: 2, author: 'A & B !x', picture: { width: 300 } }],
    })
  })

  test('imports the files and notes of a fork that lists them with their paths', async () => {
    const picture = { file_path: '/b/src/1600-2.png', filename: 'x', spoiler: true }
    const video = { file_path: '/b/src/1600-3.webm', filename: 'clip' }
    const deleted = { file_path: '/b/src/deleted', filename: 'gone' }
    const endless = { file_path: 'a'.repeat(500_000), filename: 'long' }
    const answer = {
      no: 2,
      com: 'a',
      files: [picture, video, deleted, endless],
      ban_msg: 'USER WAS BANNED',
      warning_msg: 'Stop',
    }
    serve('/b/res/1.json', fourchanThread(1, [answer], { last_modified: 5 }))
    old.set('/b/src/1600-2.png', { body: new Uint8Array(image), type: 'image/png' })
    const { counts, problems } = await importAll()
    expect(counts).toEqual({ boards: 1, threads: 1, posts: 2, images: 1 })
    expect(problems).toEqual(['/b/2: file clip.webm left out: it is not an image, or its name is not valid'])
    const content = 'a\n\n[file clip.webm]\n\n(USER WAS BANNED)\n\n(Stop)'
    expect(await readThread('b', 1)).toMatchObject({ comments: [{ content, picture: { width: 300 }, spoiler: true }] })
  })

  test('reads again only threads that changed, and waits when the old site is busy', async () => {
    await importAll()
    expect((await importAll()).counts).toMatchObject({ threads: 0, posts: 0 })
    let busy = 2
    const modified = new Date(2_000_000).toUTCString()
    const grown = structuredClone(thread)
    grown.posts.push({ no: 3, time: 1_500_000_100, name: 'C', com: 'new' } as never)
    old.set('/b/res/1.json', ({ 'if-modified-since': since }): FeedBehaviour => {
      if (busy-- > 0) return { status: busy === 1 ? 429 : 503, headers: { 'retry-after': '0' } }
      if (since === modified) return { status: 304 }
      return { body: JSON.stringify(grown), headers: { 'last-modified': modified } }
    })
    serve('/b/threads.json', [{ threads: [{ no: 1, last_modified: 4_000_000_000 }], page: 0 }])
    expect((await importAll()).counts).toMatchObject({ threads: 0, posts: 1 })
    const before = old.count('/b/src/15000-1.png')
    expect((await importAll()).counts).toMatchObject({ threads: 0, posts: 0 })
    expect(old.requests.at(-1)?.headers['if-modified-since']).toBe(modified)
    expect(old.count('/b/src/15000-1.png')).toBe(before)
  })

  test('lists threads and images that the old site refuses', async () => {
    old.set('/b/src/15000-1.png', { status: 403 })
    old.set('/b/res/7.json', { status: 403 })
    expect(await importAll()).toEqual({
      counts: { boards: 1, threads: 1, posts: 2, images: 0 },
      problems: [
        '/b/7: thread left out: the old site failed: status 403',
        '/b/2: image b/15000-1.png left out: the old site failed: status 403',
      ],
    })
  })

  test('needs the names of boards if the old site does not list them', async () => {
    old.set('/boards.json', { status: 404 })
    await expect(openVichanSite(mirror().copy, [])).rejects.toThrow('Name the boards after the URL')
    expect((await run(await openVichanSite(mirror().copy, ['b']))).counts).toMatchObject({ boards: 1, threads: 1 })
  })
})

test('imports an SQL dump of vichan, with images from a folder', async () => {
  const files = JSON.stringify([{ file: 'deleted' }, { file: '1.png', name: 'my "photo".png' }, { file: '../2.png' }])
  await addFiles(folder, {
    'web/b/src/1.png': image,
    'dump.sql': vichanDump({
      b: [
        {
          id: 1,
          subject: "It's <b>",
          name: 'Ann',
          trip: '!t',
          capcode: 'Mod',
          body: 'Hi<br/>there',
          sticky: 1,
          locked: 1,
        },
        { id: 2, thread: 1, body: '<a href="/b/res/1.html#1">&gt;&gt;1</a><br/>a\\b\'c', files, num_files: 3 },
        { id: 3, body: 'Another' },
        { id: 4, thread: 1, email: 'sage', body: '<span class="quote">&gt;x</span>' },
        { id: 5, thread: 99 },
        { id: 6, thread: 1, time: 'never' },
      ],
      empty: [{ id: 0 }],
    }),
  })
  expect(await run(openVichanDump(`${folder}/dump.sql`, [], `${folder}/web`))).toEqual({
    counts: { boards: 1, threads: 2, posts: 5, images: 1 },
    problems: [
      '/empty/: board left out: it has no posts',
      '/b/5: post left out: its number is lower than that of its thread',
      '/b/6: time of another post used: its own is not valid',
      '/b/2: file ../2.png left out: it is not an image, or its name is not valid',
    ],
  })
  expect(await readThread('b', 1)).toMatchObject({
    title: "It's <b>",
    ...{ author: 'Ann !t', capcode: 'mod' },
    content: 'Hi\nthere',
    pinned: true,
    locked: true,
    comments: [
      { id: 2, content: ">>1\na\\b'c\n\n[file ../2.png]", picture: { width: 300 }, quotes: [{ id: 1 }] },
      { id: 4, content: '>x' },
      { id: 6 },
    ],
  })
  expect(await readThread('b', 3)).toMatchObject({ title: 'Another', commentCount: 0 })
})

const jschanPost = (postId: unknown, fields: object = {}) => ({
  _id: 'x',
  postId,
  thread: null,
  board: 'b',
  date: '2021-10-02T23:15:42.675Z',
  name: 'Anon',
  tripcode: '!!x',
  capcode: null,
  subject: 'Subject',
  message: 'one\n<span class="greentext">&gt;two</span>',
  files: [],
  ...fields,
})

test('adds the images of a dump when a later run has their folder', async () => {
  const file = (...names: string[]) => JSON.stringify(names.map((name) => ({ file: name, thumb: 'spoiler' })))
  const rows = [
    { id: 1, files: file('1.png', '2.png') },
    { id: 2, thread: 1, files: file('3.png') },
    { id: 3, thread: 1, files: file('gone.png') },
  ]
  const web = ['1', '2', '3'].map((name) => [`web/b/src/${name}.png`, image])
  await addFiles(folder, { 'dump.sql': vichanDump({ b: rows }), ...Object.fromEntries(web) })
  const open = (files: string | null) => openVichanDump(`${folder}/dump.sql`, [], files)
  for (const posts of [3, 0])
    expect(await run(open(null))).toMatchObject({ counts: { posts, images: 0 }, problems: [] })
  expect(await run(open(`${folder}/web`))).toEqual({
    counts: { boards: 1, threads: 0, posts: 0, images: 3 },
    problems: ['/b/3: image b/gone.png left out: the file is missing'],
  })
  const thread = await readThread('b', 1)
  expect(thread).toMatchObject({ spoiler: true, comments: [{ picture: { width: 300 } }, { picture: null }] })
  expect(thread.pictures).toHaveLength(2)
  expect((await run(open(`${folder}/web`))).counts.images).toBe(0)
})

test('names posts of a dump whose texts are not in UTF-8', async () => {
  const dump = Buffer.from(
    vichanDump({
      b: [
        { id: 1, body: 'größer' },
        { id: 2, thread: 1, body: 'plain' },
      ],
    }),
    'latin1',
  )
  await addFiles(folder, { 'dump.sql': dump })
  const { counts, problems } = await run(openVichanDump(`${folder}/dump.sql`, [], null))
  expect(counts.posts).toBe(2)
  expect(problems).toEqual(['/b/1: text with unreadable characters: in the dump, they are not in UTF-8'])
})

test('imports jschan over HTTP', async () => {
  const file = { filename: 'ab12.png', spoiler: null }
  serve('/boards.json', { boards: [{ _id: 'x', webring: true }], page: 1, maxPage: 2 })
  serve('/boards.json?page=2', {
    boards: [{ _id: 'b', settings: { name: 'Random', description: 'All' } }],
    page: 2,
    maxPage: 2,
  })
  serve('/b/catalog.json', [jschanPost(1)])
  const replies = [jschanPost(2, { thread: 1, subject: null, email: 'sage', files: [file] }), jschanPost(null)]
  serve('/b/thread/1.json', { ...jschanPost(1), sticky: 2, locked: 0, replies })
  old.set('/file/ab12.png', { body: new Uint8Array(image), type: 'image/png' })
  const { copy } = mirror()
  expect(await run(await openJschanSite(copy, []))).toEqual({
    counts: { boards: 1, threads: 1, posts: 2, images: 1 },
    problems: ['/b/1: post left out: its number is not valid'],
  })
  expect(await readThread('b', 1)).toMatchObject({
    title: 'Subject',
    author: 'Anon !x',
    tripcode: null,
    content: 'one\n>two',
    createdAt: '2021-10-02T23:15:42.675Z',
    pinned: true,
    locked: false,
    comments: [{ id: 2, picture: { width: 300 }, sage: true }],
  })
})

test('imports a folder of mongoexport', async () => {
  const lines = [
    jschanPost({ $numberInt: '1' }, { date: { $date: '2021-10-02T23:15:42.675Z' } }),
    jschanPost(2, { thread: 1, date: { $date: { $numberLong: '1633216542675' } }, files: [{ filename: 'a.png' }] }),
    jschanPost(3, { date: 'x' }),
    jschanPost(4, { board: 'other' }),
  ]
  await addFiles(folder, {
    // PowerShell writes the mark at the beginning.
    'posts.json': `\ufeff${lines.map((line) => JSON.stringify(line)).join('\n')}\n{broken\n`,
    'boards.json': JSON.stringify({ _id: 'b', settings: { name: 'Random', description: '' } }),
    'uploads/a.png': image,
  })
  expect(await run(openJschanExport(folder, [], `${folder}/uploads`))).toEqual({
    counts: { boards: 1, threads: 2, posts: 3, images: 1 },
    problems: [
      '/b/3: time of another post used: its own is not valid',
      'posts.json: line 5 left out: it is not the JSON of an object, or it is cut off',
    ],
  })
  await expect(run(openJschanExport(`${folder}/none`, ['b'], null))).rejects.toThrow('mongoexport --collection posts')
})

test('imports LynxChan over HTTP, and redirects the old URLs of its files', async () => {
  const hash = 'ab'.repeat(32)
  const lynxchanPost = (fields: object) => ({
    name: 'Anon',
    signedRole: null,
    email: null,
    id: 'f00baa',
    subject: null,
    markdown: 'text',
    message: 'text',
    creation: '2021-05-16T00:53:19.504Z',
    files: [],
    ...fields,
  })
  const file = (path: string, fields: object = {}) => ({
    originalName: 'a&apos;b.png',
    path,
    thumb: `/.media/t_${hash}`,
    mime: 'image/png',
    ...fields,
  })
  const boards = [{ boardUri: 'b', boardName: 'Random &amp; more', boardDescription: 'All' }, { boardUri: '../x' }]
  serve('/boards.js?json=1&page=1', { status: 'ok', data: { pageCount: 2, boards } })
  serve('/boards.js?json=1&page=2', { status: 'ok', data: { pageCount: 2, boards: [{ boardUri: 'gone' }] } })
  serve('/b/catalog.json', [{ threadId: 1, page: 1, lastBump: '2021-05-16T01:00:00.000Z' }])
  const quoted = '<a class="quoteLink" href="/b/res/1.html#1">&gt;&gt;1</a>\n<span class="greenText">&gt;two</span>'
  const answers = [
    lynxchanPost({
      postId: 2,
      name: 'Ann#Ab/+01',
      markdown: `${quoted}\n<span class="spoiler">hidden</span> <s>gone</s>\n<code>x = 1</code>`,
      files: [
        file(`/.media/${hash}.png`, { thumb: '/spoiler.png' }),
        file('/.media/clip.webm', { originalName: 'clip.webm', mime: 'video/webm' }),
        file('//127.0.0.2/.media/other.png'),
      ],
    }),
    lynxchanPost({ postId: 3, email: 'sage', banMessage: '(USER WAS BANNED FOR THIS POST)' }),
    lynxchanPost({ postId: 'x' }),
    lynxchanPost({ postId: 4, creation: '2021-05-16T02:00:00.000Z' }),
  ]
  const states = { locked: true, pinned: true, cyclic: true, autoSage: false, archived: false }
  serve('/b/res/1.json', {
    ...lynxchanPost({ threadId: 1, subject: 'It&apos;s &lt;b&gt;', name: 'Root', signedRole: 'Board owner' }),
    ...states,
    posts: answers,
  })
  old.set(`/.media/${hash}.png`, { body: new Uint8Array(image), type: 'image/png' })
  const { copy, problems: copyProblems } = mirror()
  const source = await openLynxchanSite(copy, [])
  expect(copyProblems).toEqual(['/gone/: board left out: the old site has no list of its threads'])
  expect(await run(source)).toEqual({
    counts: { boards: 1, threads: 1, posts: 4, images: 1 },
    problems: [
      '/../x/: board left out: its name is not valid',
      '/gone/: board left out: it has no posts',
      '/b/1: post left out: its number is not valid',
      '/b/2: file clip.webm left out: it is not an image, or its name is not valid',
      "/b/2: file a'b.png left out: it is not an image, or its name is not valid",
    ],
  })
  expect(await readThread('b', 1)).toMatchObject({
    title: "It's <b>",
    author: 'Root ## Board owner',
    createdAt: '2021-05-16T00:53:19.504Z',
    lastActivity: '2021-05-16T01:00:00.000Z',
    locked: true,
    pinned: true,
    cyclical: true,
    bumplocked: false,
    comments: [
      {
        id: 2,
        author: 'Ann !Ab/+01',
        content: ">>1\n>two\n[spoiler]hidden[/spoiler] ~~gone~~\n`x = 1`\n\n[file clip.webm]\n[file a'b.png]",
        picture: { width: 300 },
        spoiler: true,
        quotes: [{ id: 1 }],
        sage: false,
      },
      { id: 3, content: 'text\n\n(USER WAS BANNED FOR THIS POST)', sage: true },
      { id: 4, sage: true },
    ],
  })
  const { boards: imported } = JSON.parse((await site.app.inject('/api/dtpchan/boards')).body)
  expect(imported).toMatchObject([{ id: 'b', name: 'Random & more', description: 'All' }])
  const [full, thumb] = await Promise.all(
    [`/.media/${hash}.png`, `/.media/t_${hash}`].map((path) => site.app.inject(path)),
  )
  expect([full?.statusCode, thumb?.statusCode]).toEqual([301, 301])
  expect(thumb?.headers.location).not.toBe(full?.headers.location)
  expect((await site.app.inject('/.media/unknown.png')).statusCode).toBe(404)
  expect((await site.app.inject('/b/res/1.html')).headers.location).toBe('/dtpchan/board/b/thread/1')
})
