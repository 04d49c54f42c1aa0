import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportSite } from '#server/export/exportSite.ts'
import { slugify } from '#server/features/board/ids.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { openJschanExport } from '#server/import/source/jschan.ts'
import { openMirror, openVichanSite } from '#server/import/source/mirror.ts'
import { setPause } from '#server/import/source/readPolitely.ts'
import { openVichanDump } from '#server/import/source/vichan.ts'
import type { ImportOptions, ImportSource } from '#server/import/types.ts'
import { BOARDS, callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { type FeedBehaviour, startFeedServer } from '#tests/helpers/feedServer.ts'
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

/** Imports a source. Returns the counts and the problems. */
async function run(source: ImportSource, options: Partial<ImportOptions> = {}) {
  const collected = collectProblems(options)
  const counts = await importBoards(site.app.services, source, collected.options)
  return { counts, problems: collected.problems }
}

const readThread = async (board: string, id: number) =>
  JSON.parse((await site.app.inject(`/api/dtpchan/boards/${board}/threads/${id}`)).body).thread
const open = async (url: string) => {
  const { statusCode, headers } = await site.app.inject(url)
  return [statusCode, headers.location]
}
/** Writes a dump of vichan into the folder, and opens it. */
async function openDump(boards: Parameters<typeof vichanDump>[0], wanted: string[] = []) {
  await addFiles(folder, { 'dump.sql': vichanDump(boards) })
  return openVichanDump(`${folder}/dump.sql`, wanted, folder)
}

test('finds the tables of a vichan with a prefix, beside tables of other programs', async () => {
  const dump = vichanDump({ b: [{ id: 1, thread: null }] })
    .replaceAll('`boards`', '`vc_boards`')
    .replaceAll('`posts_b`', '`vc_posts_b`')
  const others = 'CREATE TABLE `a_boards` (\n  `id` int\n);\nINSERT INTO `a_boards` VALUES (1);\n'
  await addFiles(folder, { 'dump.sql': dump.replace('\n\n', `\n\n${others}`) })
  const counts = { boards: 1, threads: 1, posts: 1 }
  expect(await run(openVichanDump(`${folder}/dump.sql`, [], null))).toMatchObject({ counts, problems: [] })
  await emptySite(site)
  expect(await run(openVichanDump(`${folder}/dump.sql`, ['b'], null))).toMatchObject({ counts, problems: [] })
})

test('keeps boards of one sequence of numbers apart if earlier runs have imported them one by one', async () => {
  const own = { dtp_text: 'text', dtp_time: 1_500_000_000_000 }
  await addFiles(folder, {
    'a/thread/1.json': fourchanThread(1, [{ no: 5, ...own }], own),
    'b/thread/3.json': fourchanThread(3, [{ no: 4, ...own }], own),
  })
  for (const board of ['a', 'b']) await run(openFolder(folder, [board]))
  await addFiles(folder, {
    'b/thread/3.json': fourchanThread(
      3,
      [
        { no: 4, ...own },
        { no: 6, ...own },
      ],
      own,
    ),
    'b/thread/7.json': fourchanThread(7, [], own),
  })
  expect(await run(openFolder(folder, []), { update: true })).toMatchObject({
    counts: { threads: 1, posts: 2, updated: 0 },
    problems: [],
  })
  for (const url of ['/b/res/3.html#6', '/b/res/6.html', '/b/res/7.html'])
    expect([url, (await site.app.inject(url)).statusCode]).toEqual([url, 301])
  expect((await readThread('b', 8)).comments).toHaveLength(2)
})

test('fails if no board is left, as for a wrong name', async () => {
  const dump = await openDump({ b: [{ id: 1, time: 1_500_000_000 }] }, ['bb'])
  await expect(run(dump)).rejects.toThrow('Cannot import: no board is left')
})

test('finds posts of vichan that did not bump their thread, whose time in the list of threads stays the same', async () => {
  setPause(1)
  const old = await startFeedServer()
  const { fetcher } = site.app.services
  const copy = openMirror({ fetcher, folder, report: () => {}, progress: () => {} }, old.url)
  let answers = [{ no: 2 }]
  let changes = 0
  old.set('/boards.json', { body: JSON.stringify([{ uri: 'b', title: 'Random' }]) })
  old.set('/b/threads.json', { body: JSON.stringify([{ threads: [{ no: 1, last_modified: 100 }] }]) })
  old.set('/b/res/1.json', (headers): FeedBehaviour => {
    const modified = new Date(1_600_000_000_000 + changes * 60_000).toUTCString()
    if (headers['if-modified-since'] === modified) return { status: 304 }
    return { body: JSON.stringify(fourchanThread(1, answers)), headers: { 'last-modified': modified } }
  })
  const importAll = async () => {
    return (await run(await openVichanSite(copy, []))).counts.posts
  }
  try {
    expect([await importAll(), await importAll()]).toEqual([2, 0])
    answers = [...answers, { no: 3, email: 'sage' } as never]
    changes++
    expect(await importAll()).toBe(1)
    expect(await readThread('b', 1)).toMatchObject({ comments: [{ id: 2 }, { id: 3, sage: true }] })
  } finally {
    await old.close()
    setPause(1000)
  }
})

test('imports the images of a dump of Tinyboard, which has one file per post', async () => {
  const image = new Uint8Array(await stillImage(300, 200).png().toBuffer())
  const row = (id: number, thread: string, thumb: string, file: string) =>
    `(${id},${thread},NULL,'Ann','text',150000000${id},'${thumb}',200,100,'${file}',300,200,5000,'a.png',0,0,NULL)`
  await addFiles(folder, {
    'b/src/1.png': image,
    'b/src/2.png': image,
    'dump.sql': `INSERT INTO \`boards\` (\`uri\`, \`title\`, \`subtitle\`) VALUES ('b', 'Random', '');
INSERT INTO \`posts_b\` (\`id\`, \`thread\`, \`subject\`, \`name\`, \`body\`, \`time\`, \`thumb\`, \`thumbwidth\`,
  \`thumbheight\`, \`file\`, \`filewidth\`, \`fileheight\`, \`filesize\`, \`filename\`, \`sticky\`, \`locked\`, \`embed\`)
VALUES ${[row(1, 'NULL', '1s.png', '1.png'), row(2, '1', 'spoiler', '2.png'), row(3, '1', '', 'deleted'), row(4, '1', '', '')].join()};\n`,
  })
  expect(await run(openVichanDump(`${folder}/dump.sql`, [], folder))).toEqual({
    counts: { boards: 1, threads: 1, posts: 4, images: 2 },
    problems: [],
  })
  expect(await readThread('b', 1)).toMatchObject({
    picture: { width: 300 },
    spoiler: false,
    comments: [{ id: 2, picture: { width: 300 }, spoiler: true }, { id: 3, picture: null }, { id: 4 }],
  })
})

describe('links to posts on other boards', () => {
  const link = (board: string, number: number) =>
    `<a href="/${board}/res/1.html#${number}">&gt;&gt;&gt;/${board}/${number}</a>`

  test('follow the posts to their new numbers, in both directions', async () => {
    const source = await openDump({
      b: [
        { id: 1, body: `${link('tech', 2)} ${link('tech', 9)} ${link('none', 1)}` },
        { id: 2, thread: 1 },
      ],
      tech: [{ id: 1 }, { id: 2, thread: 1, body: `${link('b', 2)}<br/>${link('tech', 1)}<br/>&gt;&gt;1` }],
    })
    expect(await run(source)).toMatchObject({ counts: { boards: 2, posts: 4 }, problems: [] })
    expect(await readThread('b', 1)).toMatchObject({
      content: '>>4 >>>/tech/9 >>>/none/1',
      quotes: [{ id: 4, threadId: 3, boardId: 'tech' }],
      comments: [{ id: 2, quotedBy: [{ id: 4, threadId: 3 }] }],
    })
    expect(await readThread('tech', 3)).toMatchObject({
      comments: [{ content: '>>2\n>>3\n>>3', quotes: [{ id: 2, threadId: 1, boardId: 'b' }, { id: 3 }] }],
    })
  })

  test('stay links when an export of this site is imported', async () => {
    await run(await openDump({ b: [{ id: 1, body: link('tech', 1) }], tech: [{ id: 1, body: link('b', 1) }] }))
    const expected = [[{ id: 2, boardId: 'tech' }], [{ id: 1, boardId: 'b' }]]
    const readQuotes = async () => [(await readThread('b', 1)).quotes, (await readThread('tech', 2)).quotes]
    expect(await readQuotes()).toMatchObject(expected)
    const done = { signal: new AbortController().signal, progress: () => {} }
    await exportSite(site.app.services, `${folder}/export`, done)
    await emptySite(site)
    await run(openFolder(`${folder}/export`, []))
    expect(await readQuotes()).toMatchObject(expected)
  })

  test('stay text in posts of an export of this site, where they are text', async () => {
    await addFiles(folder, {
      'b/thread/1.json': fourchanThread(1, [{ no: 2, dtp_text: '>>>/b/1' }]),
    })
    await run(openFolder(folder, []))
    expect(await readThread('b', 1)).toMatchObject({ comments: [{ content: '>>>/b/1', quotes: [] }] })
  })
})

describe('embedded videos of vichan', () => {
  test('become links below the text', async () => {
    const player = '<iframe width="360" src="//www.youtube.com/embed/abc_-1?rel=0"></iframe>'
    const source = await openDump({
      b: [
        { id: 1, body: 'See', embed: player },
        { id: 2, thread: 1, body: '', embed: 'https://vimeo.com/1?a=1&b=2' },
        {
          id: 3,
          thread: 1,
          body: '',
          embed: '<div class="video"><a href="https://youtu.be/x"><img src="y"></a></div>',
        },
        { id: 4, thread: 1, embed: '<iframe src="javascript:alert(1)"></iframe>' },
        { id: 5, thread: 1, embed: '' },
      ],
    })
    expect((await run(source)).problems).toEqual(['/b/4: video left out: it has no URL'])
    const { content, comments } = await readThread('b', 1)
    expect([content, ...comments.map((one: { content: string }) => one.content)]).toEqual([
      'See\n\nhttps://www.youtube.com/watch?v=abc_-1',
      'https://vimeo.com/1?a=1&b=2',
      'https://youtu.be/x',
      'text',
      'text',
    ])
  })

  test('are also read from JSON', async () => {
    await addFiles(folder, {
      'b/res/1.json': fourchanThread(1, [
        { no: 2, com: '', embed: '<embed src="https://www.youtube.com/v/abc&amp;hl=en">' },
      ]),
    })
    await run(openFolder(folder, []))
    expect((await readThread('b', 1)).comments).toMatchObject([{ content: 'https://www.youtube.com/watch?v=abc' }])
  })
})

describe('order and states of threads', () => {
  const listed = async () =>
    JSON.parse((await site.app.inject('/api/dtpchan/boards/b/threads')).body).threads.map(
      ({ id }: { id: number }) => id,
    )
  const sages = async (id: number) =>
    (await readThread('b', id)).comments.map(({ sage }: { sage?: boolean }) => sage === true)

  test('stay those of a dump of vichan, with cyclical threads and locked bumps', async () => {
    const start = 1_500_000_000
    const source = await openDump({
      b: [
        { id: 1, bump: start + 10, sage: 1, time: start },
        { id: 2, bump: start + 20, cycle: 1, time: start },
        { id: 3, thread: 1, time: start + 10 },
        { id: 4, thread: 1, time: start + 30 },
        { id: 5, thread: 2, time: start + 20 },
      ],
    })
    expect((await run(source)).problems).toEqual([])
    expect(await readThread('b', 1)).toMatchObject({ bumplocked: true, cyclical: false })
    expect(await readThread('b', 2)).toMatchObject({ bumplocked: false, cyclical: true })
    expect(await listed()).toEqual([2, 1])
    // The posts of the bumplocked thread did not bump because of the moderator.
    expect([await sages(1), await sages(2)]).toEqual([[false, false], [false]])
    // A removed post makes the site count bumps again.
    const token = await site.createToken('admin@example.org', 'admin')
    await callApi(site, 'DELETE', `${BOARDS}/b/threads/2/comments/5`, { token })
    await callApi(site, 'DELETE', `${BOARDS}/b/threads/1/comments/3`, { token })
    expect((await readThread('b', 1)).lastActivity).toBe(new Date(start * 1000).toISOString())
  })

  test('stay locked for posts that the dump has far behind their thread', async () => {
    const start = 1_500_000_000
    const between = Array.from({ length: 2000 }, (_, index) => ({ id: index + 3, thread: 2, time: start }))
    const source = await openDump({
      b: [
        { id: 1, bump: start, sage: 1, time: start },
        { id: 2, bump: start, time: start },
        ...between,
        { id: 2003, thread: 1, time: start + 30 },
      ],
    })
    await run(source)
    expect(await sages(1)).toEqual([false])
  })

  test('stay those of an unordered dump, and of posts that are added later', async () => {
    const start = 1_500_000_000
    const rows = [
      { id: 3, thread: 1, time: start + 30 },
      { id: 1, bump: start + 10, time: start },
      { id: 2, bump: start + 20, time: start },
    ]
    await run(await openDump({ b: rows }))
    expect([await listed(), await sages(1)]).toEqual([[2, 1], [true]])
    await run(await openDump({ b: [...rows, { id: 4, thread: 1, time: start + 40 }] }))
    expect([await listed(), await sages(1)]).toEqual([
      [2, 1],
      [true, true],
    ])
  })

  test('stay those of JSON of vichan; in JSON of 4chan they are not known', async () => {
    const time = 1_500_000_000
    const posts = (no: number) => [{ no: no + 1, time: time + 100 }]
    await addFiles(folder, {
      'b/res/1.json': fourchanThread(1, posts(1), { time, last_modified: time + 5, cyclical: '1' }),
      'b/res/3.json': fourchanThread(3, posts(3), { time, last_modified: time + 100, cyclical: '0' }),
      'b/res/5.json': fourchanThread(5, [{ no: 6, time: time + 50 }], { time, bumplimit: 1 }),
    })
    expect((await run(openFolder(folder, []))).problems).toEqual([
      '/b/5: placed by its newest post: the source has no time of its last bump',
    ])
    expect(await listed()).toEqual([3, 5, 1])
    expect([(await readThread('b', 1)).cyclical, (await readThread('b', 3)).cyclical]).toEqual([true, false])
  })
})

test('keeps what posts of vichan have beside their text: other files, public notes of bans, old threads without a text', async () => {
  const files = JSON.stringify([{ file: '1.webm', name: 'my clip.webm' }, { file: 'deleted' }])
  const note =
    'text\n<tinyboard ban message>USER WAS BANNED &amp; WARNED</tinyboard>\n<tinyboard flag>de</tinyboard>\n<tinyboard warning message>Stop</tinyboard>'
  const rows = [
    { id: 5, body: '', files },
    { id: 6, thread: 5, body_nomarkup: note },
    { id: 7, thread: 5, body: '', files: JSON.stringify([{ file: 'deleted' }]) },
  ]
  const problems = ['/b/5: file my clip.webm left out: it is not an image, or its name is not valid']
  expect((await run(await openDump({ b: rows }), { dryRun: true })).problems).toEqual(problems)
  expect((await run(await openDump({ b: rows }))).problems).toEqual(problems)
  expect(await readThread('b', 5)).toMatchObject({
    title: 'Thread 5',
    content: '[file my clip.webm]',
    comments: [{ content: 'text\n\n(USER WAS BANNED & WARNED)\n\n(Stop)' }, { content: '' }],
  })
  const { posts } = JSON.parse((await site.app.inject('/b/thread/5.json')).body)
  expect(posts.map((post: { filedeleted?: number }) => post.filedeleted)).toEqual([undefined, undefined, 1])
})

test('reads a long text in which notes of bans have no end', async () => {
  const body_nomarkup = `${'<tinyboard ban message>'.repeat(100_000)}the last note</tinyboard>`
  await run(await openDump({ b: [{ id: 8, body_nomarkup }] }))
  expect((await readThread('b', 8)).content).toBe('text\n\n(the last note)')
})

test('imports long texts whole, and reports those that it cuts', async () => {
  const long = 'word '.repeat(11_121).trim()
  const rows = [
    { id: 1, body: long },
    { id: 2, thread: 1, body: 'x'.repeat(100_001) },
  ]
  expect((await run(await openDump({ b: rows }))).problems).toEqual(['/b/2: text cut: it is too long'])
  const { content, comments } = await readThread('b', 1)
  expect([content, comments[0].content]).toEqual([long, `${'x'.repeat(100_000)}\n\n[…]`])
})

describe('folders of archivers', () => {
  test('imports threads and images as the BASC-Archiver saves them', async () => {
    const image = new Uint8Array(await stillImage(300, 200).png().toBuffer())
    const file = { ext: '.png', filename: 'x' }
    await addFiles(folder, {
      'po/570368/570368.json': fourchanThread(570368, [{ no: 570369, tim: 11, ...file }]),
      'po/570368/images/11.png': image,
      'po/570370/570370.json': fourchanThread(570370, [], { tim: 12, ...file }),
      'po/570370/12.png': image,
      'po/570371/x.json': {},
      'po/570372': 'a file',
    })
    expect(await run(openFolder(folder, []))).toEqual({
      counts: { boards: 1, threads: 2, posts: 3, images: 2 },
      problems: [],
    })
  })

  test('may have files that begin with a byte order mark', async () => {
    const marked = (content: unknown) => `\ufeff${JSON.stringify(content)}`
    await addFiles(folder, {
      'boards.json': marked([{ board: 'po', title: 'Papercraft' }]),
      'po/thread/570368.json': marked(fourchanThread(570368)),
    })
    expect(await run(openFolder(folder, []))).toMatchObject({ counts: { boards: 1, posts: 1 }, problems: [] })
    const { boards } = JSON.parse((await site.app.inject('/api/dtpchan/boards')).body)
    expect(boards).toMatchObject([{ id: 'po', name: 'Papercraft' }])
  })

  test('refuses folders without threads, and names the files that it looks for', async () => {
    await addFiles(folder, { '4chan/po/570368 Title/1 x.jpg': 'image', 'boards.json': [{ uri: 'po' }] })
    const message = 'has no threads. In this format, threads are files {board}/thread/{number}.json'
    for (const [path, wanted] of [
      ['', []],
      ['/4chan', []],
      ['/4chan', ['po']],
    ] as const) {
      await expect(run(openFolder(`${folder}${path}`, [...wanted]))).rejects.toThrow(message)
    }
  })
})

test('leaves out only the odd post of a thread whose posts are not in order', async () => {
  await addFiles(folder, {
    'b/thread/10.json': { posts: fourchanThread(10, [{ no: 9 }, { no: 12 }, { no: 11 }]).posts.reverse() },
  })
  expect(await run(openFolder(folder, []))).toEqual({
    counts: { boards: 1, threads: 1, posts: 3, images: 0 },
    problems: ['/b/9: post left out: its number is lower than that of its thread'],
  })
  expect(await readThread('b', 10)).toMatchObject({ content: 'post 0', comments: [{ id: 11 }, { id: 12 }] })
  await emptySite(site)
  const dump = await openDump({ b: [{ id: 3, thread: 5 }, { id: 5 }, { id: 6, thread: 5 }] })
  expect(await run(dump)).toMatchObject({
    counts: { threads: 1, posts: 2 },
    problems: ['/b/3: post left out: its number is lower than that of its thread'],
  })
})

describe('posts without a time', () => {
  const seconds = (time: string) => new Date(time).getTime() / 1000

  test('get the time of the previous post, or else of the next', async () => {
    const dump = await openDump({
      b: [
        { id: 1, time: 0 },
        { id: 2, thread: 1, time: 1_500_000_002 },
        { id: 3, thread: 1, time: 0 },
        { id: 4, thread: 1, time: 1_500_000_004 },
      ],
      dark: [{ id: 1, time: 0 }],
    })
    const problem = 'time of another post used: its own is not valid'
    expect((await run(dump)).problems).toEqual([
      '/dark/: board left out: it has no posts',
      `/b/1: ${problem}`,
      `/b/3: ${problem}`,
    ])
    const { createdAt, comments } = await readThread('b', 1)
    expect([createdAt, ...comments.map((one: { createdAt: string }) => one.createdAt)].map(seconds)).toEqual([
      1_500_000_002, 1_500_000_002, 1_500_000_002, 1_500_000_004,
    ])
  })

  test('keep their threads in JSON', async () => {
    await addFiles(folder, { 'b/thread/1.json': fourchanThread(1, [{ no: 2 }], { time: 0 }) })
    expect((await run(openFolder(folder, []))).counts).toMatchObject({ threads: 1, posts: 2 })
    expect(seconds((await readThread('b', 1)).createdAt)).toBe(1_500_000_011)
  })
})

describe('boards with unusual names', () => {
  test('leaves out boards with names of pages, and imports the others', async () => {
    const dump = { api: [{ id: 1 }], b: [{ id: 1 }] }
    expect(await run(await openDump(dump))).toMatchObject({
      counts: { boards: 1, posts: 1 },
      problems: [
        '/api/: board left out: the URL /api belongs to a page of this site. Create a board, and name it with --into',
      ],
    })
    await expect(run(await openDump(dump, ['api']))).rejects.toThrow('Cannot import /api/: the URL /api belongs')
    await createBoard(site, 'Other', await site.createToken('admin@example.org', 'admin'))
    expect((await run(await openDump(dump, ['api']), { into: 'other' })).counts).toMatchObject({ posts: 1 })
    expect(await run(await openDump(dump))).toMatchObject({ counts: { boards: 2, posts: 0 }, problems: [] })
    await expect.poll(() => open('/api/res/1.html')).toEqual([301, '/dtpchan/board/other/thread/2'])
    expect((await open('/api/catalog'))[0]).toBe(404)
  })

  test('keeps names in other scripts apart, and redirects their URLs', async () => {
    const dump = await openDump({ 日本: [{ id: 1 }], 中国: [{ id: 1 }], a$x: [{ id: 1 }], 'a/b': [{ id: 1 }] })
    expect(await run(dump)).toMatchObject({
      counts: { boards: 3, posts: 3 },
      problems: ['/a/b/: board left out: its name is not valid'],
    })
    await expect.poll(() => open('/a$x/')).toEqual([301, '/dtpchan/board/a-x'])
    for (const [name, id, number] of [
      ['日本', 'xn-wgv71a', 1],
      ['中国', 'xn-fiqs8s', 2],
    ] as const) {
      const path = `/${encodeURIComponent(name)}`
      expect(await open(`${path}/`)).toEqual([301, `/dtpchan/board/${id}`])
      expect(await open(`${path}/res/1.html`)).toEqual([301, `/dtpchan/board/${id}/thread/${number}`])
    }
    expect((await open('/%E6%97/res/1.html'))[0]).toBe(404)
  })

  test('keeps the ids of two boards of a site like this one, whose names begin alike', async () => {
    const ids = ['boards-of-all-who-repair-old-amps-2', 'boards-of-all-who-repair-old-amps-3']
    expect(ids.map((id) => slugify(id))).toEqual(Array(2).fill('boards-of-all-who-repair-old-amp'))
    expect(await run(await openDump({ [ids[0] ?? '']: [{ id: 1 }], [ids[1] ?? '']: [{ id: 1 }] }))).toMatchObject({
      counts: { boards: 2, posts: 2 },
      problems: [],
    })
    const { body } = await callApi(site, 'GET', '/api/dtpchan/boards')
    expect(body.boards.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids))
  })

  test('redirects URLs of threads with their titles', async () => {
    await run(await openDump({ b: [{ id: 1 }, { id: 2, thread: 1 }] }))
    await expect.poll(() => open('/b/')).toEqual([301, '/dtpchan/board/b'])
    for (const path of ['1-some-title.html', '1-some-title+50.html', '1-.html', '1-a.b+c.html']) {
      expect([path, ...(await open(`/b/res/${path}`))]).toEqual([path, 301, '/dtpchan/board/b/thread/1'])
    }
    expect((await open('/b/res/1x.html'))[0]).toBe(404)
  })
})

describe('exports of jschan', () => {
  const post = (postId: unknown, fields: object = {}) => ({
    ...{ postId, thread: null, board: 'b', date: '2021-10-02T23:15:42.675Z', name: 'a "{" \\\\', message: 'x' },
    ...fields,
  })
  const boards = [
    { _id: 'b', settings: { name: 'Random }"\\' } },
    { _id: 't2', settings: {} },
  ]

  test('follows links to posts on other boards', async () => {
    const message = '<a class="quote" href="/t2/thread/1.html#1">&gt;&gt;&gt;/t2/1</a>'
    const posts = [post(1, { message }), post(1, { board: 't2' })]
    await addFiles(folder, {
      'boards.json': boards.map((one) => JSON.stringify(one)).join('\n'),
      'posts.json': posts.map((one) => JSON.stringify(one)).join('\n'),
    })
    expect(await run(openJschanExport(folder, [], null))).toMatchObject({ counts: { posts: 2 }, problems: [] })
    expect(await readThread('b', 1)).toMatchObject({ content: '>>2', quotes: [{ id: 2, boardId: 't2' }] })
  })

  test('keeps the name that boards give to posts without one, if this site takes it', async () => {
    const named = [
      { _id: 'b', settings: { defaultName: 'Nobody' } },
      { _id: 'c', settings: { defaultName: 'x'.repeat(1000) } },
    ]
    await addFiles(folder, {
      'boards.json': named.map((one) => JSON.stringify(one)).join('\n'),
      'posts.json': [post(1, { name: '' }), post(2, { name: '', board: 'c' })]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    })
    await run(openJschanExport(folder, [], null))
    const listed = JSON.parse((await site.app.inject(BOARDS)).body).boards
    expect(listed.map(({ defaultName }: { defaultName: string }) => defaultName)).toEqual(['Nobody', 'Anonymous'])
    expect((await readThread('b', 1)).author).toBe('Nobody')
  })

  test('keeps the order of threads, other files and public notes of bans', async () => {
    const states = { bumped: { $date: '2021-10-03T00:00:00Z' }, bumplocked: { $numberInt: '1' }, cyclic: 1 }
    const files = [{ filename: 'ab.mp3', originalFilename: 'song.mp3' }]
    const posts = [post(1, states), post(2, { thread: 1, date: '2021-10-04T00:00:00Z', banmessage: 'spam', files })]
    await addFiles(folder, {
      'boards.json': JSON.stringify(boards[0]),
      'posts.json': posts.map((one) => JSON.stringify(one)).join('\n'),
    })
    expect((await run(openJschanExport(folder, [], null))).problems).toEqual([
      '/b/2: file song.mp3 left out: it is not an image, or its name is not valid',
    ])
    expect(await readThread('b', 1)).toMatchObject({
      ...{ bumplocked: true, cyclical: true },
      lastActivity: '2021-10-03T00:00:00.000Z',
      comments: [{ sage: false, content: 'x\n\n[file song.mp3]\n\n(USER WAS BANNED FOR THIS POST: spam)' }],
    })
  })

  test.each([
    ['one line', undefined],
    ['many lines', 2],
  ])('reads lists of --jsonArray on %s', async (_, indent) => {
    const posts = [
      post(1),
      ...Array.from({ length: 30 }, (_, at) => post(at + 2, { thread: 1, message: 'é\\"'.repeat(20_000) })),
    ]
    await addFiles(folder, {
      'boards.json': JSON.stringify(boards.slice(0, 1), null, indent),
      'posts.json': JSON.stringify(posts, null, indent),
    })
    expect(await run(openJschanExport(folder, [], null))).toEqual({
      counts: { boards: 1, threads: 1, posts: 31, images: 0 },
      problems: [],
    })
    expect((await readThread('b', 1)).author).toBe('a "{" \\\\')
  })

  test('reports what is cut off, and posts that are not valid', async () => {
    const lines = [post(1), post('x', { thread: 1 }), post({}), post(2, { thread: 1 })].map((one) =>
      JSON.stringify(one),
    )
    await addFiles(folder, {
      'boards.json': JSON.stringify(boards[0]),
      'posts.json': `${lines.join('\n')}\n\n${lines[0]?.slice(0, 30)}`,
    })
    const invalid = ['/b/1: post left out: its number is not valid', '/b/: post left out: its number is not valid']
    const cutOff = 'left out: it is not the JSON of an object, or it is cut off'
    expect((await run(openJschanExport(folder, [], null))).problems.sort()).toEqual(
      [...invalid, `posts.json: line 6 ${cutOff}`].sort(),
    )
    await addFiles(folder, { 'posts.json': `[${lines.join()},${lines[0]?.slice(0, 30)}` })
    expect((await run(openJschanExport(folder, [], null))).problems.sort()).toEqual(
      [...invalid, `posts.json: object 5 ${cutOff}`].sort(),
    )
  })
})
