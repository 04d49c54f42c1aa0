import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { thread } from '#db/schema/index.ts'
import { asContext } from '#server/commands/command.ts'
import { exportSite } from '#server/export/exportSite.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { ImportPlan } from '#server/import/importPlan.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import type { ImportOptions } from '#server/import/types.ts'
import { boardLimits } from '#src/contract/board.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { type Rows, readRows, withDatabase } from '#tests/helpers/backupSite.ts'
import { addFiles, collectProblems, emptySite, fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let folder: string
beforeAll(async () => {
  site = await startSite({ THREAD_POST_LIMIT: '3', RAID_POSTS_PER_MINUTE: '0' })
})
afterAll(() => site.close())
afterEach(async () => {
  await emptySite(site)
  await rm(folder, { recursive: true, force: true })
})

/** Imports the folder. Returns the counts and the problems. */
async function run(options: Partial<ImportOptions> = {}, boards: string[] = []) {
  const collected = collectProblems(options)
  const counts = await importBoards(site.app.services, openFolder(folder, boards), collected.options)
  return { counts, problems: collected.problems }
}

const readThread = async (board: string, id: number) => {
  const { body } = await site.app.inject(`/api/dtpchan/boards/${board}/threads/${id}`)
  return JSON.parse(body).thread
}
const rowsOf = () => withDatabase(site, readRows)
const without = ({ event, ...rows }: Rows) => rows

const TECH = {
  'boards.json': { boards: [{ board: 'tech', title: 'Tech &amp; more', meta_description: 'About &quot;it&quot;' }] },
  'tech/threads.json': [],
  'tech/thread/10.json': fourchanThread(
    10,
    [
      { no: 11, com: '<a href="#p10" class="quotelink">&gt;&gt;10</a><br>yes' },
      { no: 25, com: '<a href="/tech/thread/20#p21" class="quotelink">&gt;&gt;21</a> &gt;&gt;99' },
    ],
    { sub: 'Hello &amp; welcome', name: 'Ann', trip: '!abc', sticky: 1, closed: 1, com: 'First<br>line' },
  ),
  'tech/thread/20.json': fourchanThread(20, [{ no: 21, com: '&gt;&gt;11 <a href="#p99">&gt;&gt;99</a>' }]),
}

describe('import of a folder in the format of 4chan', () => {
  test('keeps numbers, names, titles, times, quotes and states on an empty site', async () => {
    folder = await writeFolder(TECH)
    expect(await run()).toEqual({ counts: { boards: 1, threads: 2, posts: 5, images: 0 }, problems: [] })
    const thread = await readThread('tech', 10)
    expect(thread).toMatchObject({
      id: 10,
      title: 'Hello & welcome',
      author: 'Ann !abc',
      content: 'First\nline',
      createdAt: new Date(1_500_000_100_000).toISOString(),
      lastActivity: new Date(1_500_000_102_000).toISOString(),
      pinned: true,
      locked: true,
      commentCount: 2,
      replyCount: 0,
    })
    expect(thread.comments).toMatchObject([
      { id: 11, content: '>>10\nyes', quotes: [{ id: 10 }], quotedBy: [{ id: 21 }] },
      { id: 25, content: '>>21 >>99', quotes: [{ id: 21, threadId: 20 }], quotedBy: [] },
    ])
    const { boards } = JSON.parse((await site.app.inject('/api/dtpchan/boards')).body)
    expect(boards).toMatchObject([{ id: 'tech', name: 'Tech & more', description: 'About "it"' }])
    expect((await postThread(site, 'tech')).body.thread.id).toBe(26)
  })

  test('counts what posts cost, so that a thread above the limits takes no more posts', async () => {
    folder = await writeFolder({
      'tech/thread/1.json': fourchanThread(1, [{ no: 2 }, { no: 3 }, { no: 4 }, { no: 5 }]),
    })
    await run()
    expect(await readThread('tech', 1)).toMatchObject({ commentCount: 4 })
    expect((await postComment(site, { boardId: 'tech', threadId: 1 })).body.error).toBe('This thread is full')
  })

  test('moves numbers that this site has used, and the links to them', async () => {
    const admin = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'Other', admin)
    await site.app.services.db.execute("select setval('post_number', 11)")
    await postThread(site, 'other')
    folder = await writeFolder(TECH)
    await run()
    const thread = await readThread('tech', 22)
    expect(thread.comments).toMatchObject([
      { id: 23, content: '>>22\nyes', quotes: [{ id: 22 }] },
      { id: 37, content: '>>33 >>>/tech/99', quotes: [{ id: 33 }] },
    ])
    expect((await readThread('tech', 32)).comments[0].content).toBe('>>23 >>>/tech/99')
    expect((await postThread(site, 'other')).body.thread.id).toBe(38)
  })

  test('writes nothing after posts that cannot be written, and continues with them', async () => {
    const { db } = site.app.services
    // Three batches: the first ones have at most 200 posts, and threads stay whole.
    const longThread = (number: number, name: string) =>
      fourchanThread(
        number,
        Array.from({ length: 150 }, (_, at) => ({ no: number + 1 + at, name })),
      )
    folder = await writeFolder({
      'tech/thread/1000.json': longThread(1000, 'Ann'),
      'tech/thread/2000.json': longThread(2000, 'Refused'),
      'tech/thread/3000.json': longThread(3000, 'Ann'),
    })
    await db.execute(sql`alter table post add constraint refusing check (author <> 'Refused')`)
    await expect(run()).rejects.toThrow()
    expect(await db.$count(thread)).toBe(1)
    await db.execute(sql`alter table post drop constraint refusing`)
    expect((await run()).counts).toMatchObject({ threads: 2, posts: 302 })
  })

  test('adds only new posts when it runs again, and none that a moderator deleted', async () => {
    folder = await writeFolder(TECH)
    await run()
    const before = await rowsOf()
    expect((await run()).counts).toMatchObject({ threads: 0, posts: 0 })
    expect(without(await rowsOf())).toEqual(without(before))
    const admin = await site.createToken('admin@example.org', 'admin')
    for (const path of ['10/comments/25', '20'])
      await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${path}`, { token: admin })
    const local = await postThread(site, 'tech', { content: 'A thread of this site' })
    expect(local.body).toMatchObject({ thread: { id: 26 } })
    const grown = structuredClone(TECH['tech/thread/10.json'])
    grown.posts.push({ no: 26, resto: 10, time: 1_600_000_000, name: 'x', com: '&gt;&gt;15 &gt;&gt;11 new' } as never)
    const deleted = structuredClone(TECH['tech/thread/20.json'])
    deleted.posts.push({ no: 27, resto: 20, time: 1_600_000_000, name: 'x', com: 'late' } as never)
    await addFiles(folder, {
      'tech/thread/10.json': grown,
      'tech/thread/20.json': deleted,
      'tech/thread/30.json': fourchanThread(30),
    })
    expect(await run()).toEqual({
      counts: { boards: 1, threads: 1, posts: 2, images: 0 },
      problems: ['/tech/27: post left out: its thread was deleted here'],
    })
    const { commentCount, comments } = await readThread('tech', 10)
    expect([commentCount, comments.map(({ id }: { id: number }) => id)]).toEqual([2, [11, 27]])
    expect(comments[1].content).toBe('>>15 >>11 new')
    expect((await readThread('tech', 31)).id).toBe(31)
  })

  test('changes nothing in a dry run, and prints what it would import', async () => {
    folder = await writeFolder({
      ...TECH,
      'tech/thread/40.json': fourchanThread(40, [{ no: 41, tim: 5, ext: '.png' }]),
    })
    const before = await rowsOf()
    expect(await run({ dryRun: true })).toEqual({
      counts: { boards: 1, threads: 3, posts: 7, images: 0 },
      problems: ['/tech/41: image tech/5.png left out: the file is missing'],
    })
    expect(await rowsOf()).toEqual(before)
    await run()
    expect((await run({ dryRun: true })).counts).toMatchObject({ threads: 0, posts: 0 })
  })

  test('describes in a dry run what comes and what stays out, with estimates of time and space', async () => {
    const image = await stillImage(300, 200).png().toBuffer()
    const answers = [
      ...[1, 2, 3].map((at) => ({ no: 40 + at, tim: at, ext: '.png' })),
      { no: 44, tim: 4, ext: '.webm', filename: 'clip' },
    ]
    folder = await writeFolder({
      ...TECH,
      'tech/thread/40.json': fourchanThread(40, answers),
      'b/thread/1.json': fourchanThread(1),
      'tech/src/1.png': image,
    })
    const before = await rowsOf()
    const plan = new ImportPlan()
    const { options } = collectProblems({ dryRun: true, plan, report: (_, what) => plan.addReason(what) })
    await importBoards(site.app.services, openFolder(folder, ['b', 'tech']), options)
    const lines = await plan.describe(asContext(site.app.services))
    const text = lines.join('\n').replace(/ +/g, ' ')
    expect(text).toMatch(/^board threads posts images\n\/b\/ 1 1 0\n\/tech\/ 3 10 1\nall 4 11 1\n\nLeft out/)
    expect(text).toContain('\n 2 image left out: the file is missing\n 1 file left out: it is not an image')
    expect(text).toMatch(/\n\nEstimated from the speed of this run, and 1 image that it encoded\. .*:\n time \d+ /)
    const [, bytes = ''] = /space .* in the database, ([\d.]+) kB for images$/.exec(text) ?? []
    // Three files replace one.
    expect(Number(bytes)).toBeGreaterThan(0)
    expect(await rowsOf()).toEqual(before)
  })

  test('counts changes since the last run not as what stays out', async () => {
    folder = await writeFolder(TECH)
    await run()
    await addFiles(folder, { 'tech/thread/20.json': fourchanThread(20, [], { com: 'edited' }) })
    const plan = new ImportPlan()
    const said: string[] = []
    const { options } = collectProblems({
      ...{ dryRun: true, plan },
      report: (_, what, outcome) => {
        said.push(what)
        plan.addReason(what, outcome)
      },
    })
    await importBoards(site.app.services, openFolder(folder, []), options)
    expect(said.join()).toContain('1 post has another text in the source: 20')
    expect((await plan.describe(asContext(site.app.services))).join('\n')).not.toMatch(/Left out|another text/)
  })

  test('stores images like uploads, and lists those that are missing or refused', async () => {
    const image = await stillImage(300, 200).png().toBuffer()
    const file = { ext: '.png', filename: 'x' }
    folder = await writeFolder({
      'b/thread/1.json': fourchanThread(1, [
        { no: 2, tim: 1500000000001, ...file, spoiler: 1, extra_files: [{ tim: '1500000000002-1', ...file }] },
        { no: 3, tim: 3, ...file },
        { no: 4, tim: 4, ...file },
        { no: 5, tim: '../../secret', ...file },
        { no: 6, tim: 6, ext: '.webm', filename: 'clip', com: '' },
        { no: 7, tim: 7, ...file },
      ]),
      'b/1500000000001.png': image,
      'b/src/1500000000002-1.png': image,
      'b/3.png': 'not an image',
      'b/7.png': new Uint8Array(6 * 1024 * 1024),
    })
    const process = vi.spyOn(site.app.services.images, 'process')
    const { counts, problems } = await run()
    expect(counts).toEqual({ boards: 1, threads: 1, posts: 7, images: 2 })
    // Without a network, the limits of visitors do not apply.
    expect(new Set(process.mock.calls.map(([, , network]) => network))).toEqual(new Set([undefined]))
    process.mockRestore()
    expect(problems.sort()).toEqual([
      '/b/3: image b/3.png left out: Please select a valid image file (JPEG, PNG, GIF, or WebP)',
      '/b/4: image b/4.png left out: the file is missing',
      '/b/5: file x.png left out: it is not an image, or its name is not valid',
      '/b/6: file clip.webm left out: it is not an image, or its name is not valid',
      '/b/7: image b/7.png left out: File size must be less than 5MB',
    ])
    const { comments } = await readThread('b', 1)
    expect(comments[0]).toMatchObject({ id: 2, spoiler: true, picture: { width: 300, height: 200 } })
    for (const { url } of comments[0].pictures) expect((await site.app.inject(url)).statusCode).toBe(200)
    expect(comments[0].pictures).toHaveLength(2)
    expect(comments[4].content).toBe('[file clip.webm]')
    const rows = await rowsOf()
    expect(JSON.parse(rows.stored_bytes?.find((row) => row.includes('image')) ?? '{}').bytes).toBeGreaterThan(0)
  })

  test('pins as many threads as a board may have, and lists the others', async () => {
    const numbers = Array.from({ length: boardLimits.pinnedThreads + 2 }, (_, index) => index + 1)
    folder = await writeFolder(
      Object.fromEntries(
        numbers.map((number) => [`b/thread/${number}.json`, fourchanThread(number, [], { sticky: 1 })]),
      ),
    )
    const { counts, problems } = await run()
    expect(counts).toMatchObject({ threads: numbers.length })
    expect(problems).toEqual(
      numbers.slice(-2).map((number) => `/b/${number}: not pinned: a board has at most 10 pinned threads`),
    )
    expect(await site.app.services.db.$count(thread, eq(thread.pinned, true))).toBe(boardLimits.pinnedThreads)
  })

  test('survives hostile numbers, times, types and broken files', async () => {
    const hostile = fourchanThread(5, [
      ...[-1, 0, 1.5, 1e300, '9999999999999999', null, {}, [], true].map((no) => ({ no })),
      { no: 16, time: 'soon' },
      { no: 7, time: 9e15 },
      { no: 7 },
      { no: 8, name: {}, com: ['x'], sub: 5, trip: null, dtp_parent: 7, dtp_links: 'x' },
      { no: 9, dtp_parent: 9 },
      { no: 10, dtp_parent: 5 },
    ])
    folder = await writeFolder({
      'boards.json': '{broken',
      'b/thread/5.json': hostile,
      'b/thread/6.json': fourchanThread(6),
      'b/thread/11.json': '[',
      'b/thread/12.json': { posts: 'x' },
      'b/thread/13.json': fourchanThread(14),
      'b/thread/x.json': fourchanThread(15),
      'B_c/thread/1.json': fourchanThread(1),
    })
    const { counts, problems } = await run()
    expect(counts).toEqual({ boards: 2, threads: 3, posts: 8, images: 0 })
    expect(problems.filter((line) => line.includes('its number is not valid'))).toHaveLength(9)
    expect(problems).toContain('/b/16: time of another post used: its own is not valid')
    expect(problems).toContain('/b/7: post left out: another post has its number')
    expect(problems).toContain('/b/11: thread left out: its file is not JSON of a thread')
    expect(problems).toContain('/b/13: thread left out: its file is not JSON of a thread')
    const { boards } = JSON.parse((await site.app.inject('/api/dtpchan/boards')).body)
    expect(boards.map(({ id }: { id: string }) => id).sort()).toEqual(['b', 'b-c'])
  })

  test('imports into a board of the site only with --into, and refuses another source under the same name', async () => {
    const admin = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'Tech', admin)
    folder = await writeFolder(TECH)
    await expect(run()).rejects.toThrow('this site has a board /tech/. To import into it, use --into tech')
    await expect(run({ into: 'none' })).rejects.toThrow('this site has no such board')
    expect((await run({ into: 'tech' })).counts).toMatchObject({ threads: 2 })
    await expect(run({ into: 'other' })).rejects.toThrow('an earlier import put it into /tech/')
    await addFiles(folder, {
      'tech/thread/10.json': {
        posts: [
          { no: 10, time: 1 },
          { no: 90, time: 2 },
        ],
      },
    })
    expect((await run()).problems).toEqual([
      '/tech/90: post left out: another thread with this number was imported into this board',
    ])
    await expect(
      importBoards(site.app.services, openFolder(join(folder, 'none'), []), collectProblems().options),
    ).rejects.toThrow('does not exist')
  })

  test('names posts without a name like the board does', async () => {
    const admin = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'Tech', admin)
    const settings = { name: 'Tech', description: 'x', rules: '', defaultName: 'Nobody' }
    await callApi(site, 'PUT', `${BOARDS}/tech`, { json: settings, token: admin })
    const answers = [
      { no: 11, name: '', trip: '!abc' },
      { no: 12, name: 'Anonymous' },
    ]
    folder = await writeFolder({ 'tech/thread/10.json': fourchanThread(10, answers, { name: undefined }) })
    await run({ into: 'tech' })
    const { author, comments } = await readThread('tech', 10)
    expect([author, comments[0].author, comments[1].author]).toEqual(['Nobody', 'Nobody !abc', 'Anonymous'])
  })

  test('creates boards that take posts without a name, as old boards do', async () => {
    folder = await writeFolder({ 'tech/thread/10.json': fourchanThread(10, [], { name: '' }) })
    await run()
    const { status, body } = await postComment(site, { boardId: 'tech', threadId: 10 }, { author: '' })
    expect([status, body.comment.author, (await readThread('tech', 10)).author]).toEqual([
      200,
      'Anonymous',
      'Anonymous',
    ])
  })

  test('takes replies of this site’s export back under their comments', async () => {
    const own = { dtp_time: 1_500_000_000_123, dtp_text: 'text' }
    const post = (no: number, fields: object = {}) => ({
      no,
      time: 1_500_000_000,
      name: 'a',
      com: 'x',
      ...own,
      ...fields,
    })
    folder = await writeFolder({
      'a/thread/1.json': {
        posts: [
          post(1, { sub: 'One' }),
          post(3, { dtp_note: ['x'], id: 'x'.repeat(8000) }),
          post(5, {
            dtp_note: `\0${'n'.repeat(199)}😀 too long`,
            id: 'AbCd1234',
            dtp_parent: 3,
            dtp_text: '>>4',
            dtp_links: ['https://example.org'],
          }),
        ],
      },
      'b/thread/2.json': { posts: [post(2, { sub: 'Two' }), post(4, { dtp_text: '>>5  [spoiler]x[/spoiler]' })] },
    })
    expect((await run()).counts).toMatchObject({ boards: 2, threads: 2, posts: 5 })
    const { comments, createdAt, replyCount } = await readThread('a', 1)
    expect([createdAt, replyCount]).toEqual(['2017-07-14T02:40:00.123Z', 1])
    expect(comments).toMatchObject([
      { id: 3, replies: [{ id: 5, links: ['https://example.org'], quotes: [{ id: 4, boardId: 'b' }] }] },
    ])
    const [comment] = comments
    expect([comment.note, comment.posterLabel]).toEqual([undefined, null])
    expect([comment.replies[0].note, comment.replies[0].posterLabel]).toEqual([`${'n'.repeat(199)}\ufffd`, 'AbCd1234'])
    expect((await readThread('b', 2)).comments).toMatchObject([
      { id: 4, content: '>>5  [spoiler]x[/spoiler]', quotes: [] },
    ])
  })

  test('shows a tripcode that this site did not give as a part of the name', async () => {
    const admin = await site.createToken('admin@example.org', 'admin')
    await createBoard(site, 'a', admin)
    const { thread } = (await postThread(site, 'a', { author: 'gl1tch##secret', content: 'real' })).body
    const [real] = (await callApi(site, 'GET', `/a/thread/${thread.id}.json`)).body.posts
    await emptySite(site)
    const fakes = [
      { dtp_text: 'fake' },
      { name: 'admin' },
      { dtp_time: real.dtp_time + 1 },
      { trip: '!!AAAAAAAAAAA' },
      { dtp_trip_proof: undefined },
      { dtp_trip_proof: '' },
      { dtp_trip_proof: ['x'] },
    ]
    const posts = fakes.map((fake, at) => ({ ...real, no: real.no + 1 + at, ...fake }))
    folder = await writeFolder({
      [`a/thread/${real.no}.json`]: { posts: [real, { ...real, no: real.no + 50 }, ...posts] },
    })
    await run()
    const { author, tripcode, comments } = await readThread('a', real.no)
    expect([author, tripcode]).toEqual(['gl1tch', real.trip])
    const text = real.trip.slice(1)
    expect(comments).toHaveLength(fakes.length + 1)
    for (const comment of comments) {
      expect(comment.tripcode).toBeNull()
      expect([`gl1tch ${text}`, `admin ${text}`, 'gl1tch !AAAAAAAAAAA']).toContain(comment.author)
    }
  })

  test('imports an export of this site so that the next export is the same', async () => {
    const admin = await site.createToken('admin@example.org', 'admin')
    for (const name of ['One & only', 'Two']) await createBoard(site, name, admin)
    const createImage = async (width: number) =>
      new File([new Uint8Array(await stillImage(width, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
    const png = await createImage(300)
    const { thread } = (
      await postThread(site, 'one-only', { title: 'A <b> &amp; "c"', content: '>>2 >quoted', image: png })
    ).body
    const at = { boardId: 'one-only', threadId: thread.id }
    const { thread: below } = (await postThread(site, 'two', { title: 'Below' })).body
    const { thread: archived } = (
      await postThread(site, 'two', { content: `>>${thread.id}\n[spoiler]x[/spoiler]  \`y\`\n\n>z` })
    ).body
    const { comment } = (
      await postComment(site, at, {
        content: '>>99 https://example.org/?a&b',
        links: '["https://example.org"]',
        image: await Promise.all([310, 311, 312].map(createImage)),
      })
    ).body
    await callApi(site, 'PUT', `${BOARDS}/one-only`, {
      json: {
        ...{ name: 'One & only', description: 'All about One & only', rules: '' },
        ...{ posterLabels: true, defaultName: 'No & name', threadLimit: 20, latestReplies: 3 },
      },
      token: admin,
    })
    const four = await Promise.all([320, 321, 322, 323].map(createImage))
    await postComment(site, { ...at, commentId: comment.id }, { content: 'a reply', image: four, sage: 'true' })
    const deletion = { boardId: 'one-only', postId: comment.id, action: 'delete-image', image: comment.image }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: deletion })
    const emptied = (
      await postComment(site, { boardId: 'two', threadId: below.id }, { content: 'x', image: await createImage(330) })
    ).body.comment
    const emptying = { boardId: 'two', postId: emptied.id, action: 'delete-image' }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: emptying })
    const signed = { author: 'a & b!!##secret', content: ' >>1 \n&amp; ', capcode: 'mod' }
    await postComment(site, at, signed, admin)
    // A bumplocked thread keeps its place below the other one.
    const lock = { boardId: 'two', postId: below.id, action: 'bumplock' }
    await callApi(site, 'POST', '/api/moderation/act', { token: admin, json: lock })
    await postComment(site, { boardId: 'two', threadId: below.id }, { content: 'no bump' })
    const { db } = site.app.services
    await db.execute(
      `update thread set pinned = true, locked = true, bumplocked = true, cyclical = true where id = ${thread.id}`,
    )
    await db.execute(`update thread set archived_at = now() where id = ${archived.id}`)
    await db.execute(`update post set note = 'BANNED <for> this' where id = ${comment.id}`)
    folder = await writeFolder({})
    const exportTo = async (name: string) => {
      const done = { signal: new AbortController().signal, progress: () => {} }
      await exportSite(site.app.services, join(folder, name), done)
      return readTexts(join(folder, name))
    }
    const before = await exportTo('before')
    await emptySite(site)
    const { problems, options } = collectProblems()
    await importBoards(site.app.services, openFolder(join(folder, 'before'), []), options)
    expect(problems).toEqual([])
    const after = await exportTo('after')
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
    const isChanged = (name: string) => after[name] !== before[name]
    expect(Object.keys(before).filter(isChanged)).toEqual([])
    expect(Object.keys(before).length).toBeGreaterThan(20)
  })
})

/** Reads all files of a folder, by their names. */
async function readTexts(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = files.map(async (file) => [file.slice(path.length), await readFile(file, 'latin1')] as const)
  return Object.fromEntries(await Promise.all(texts))
}
