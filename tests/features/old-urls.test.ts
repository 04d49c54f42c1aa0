import { readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isReservedId } from '#server/features/board/ids.ts'
import { findImportedId } from '#server/features/board/read/importedNumbers.ts'
import { importBoards } from '#server/import/importBoards.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { openJschanExport } from '#server/import/source/jschan.ts'
import { importedPostParams } from '#src/contract/post.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { collectProblems, fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let threadId: number
let commentId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Tech', admin)
  threadId = (await postThread(site, 'tech')).body.thread.id
  commentId = (await postComment(site, { boardId: 'tech', threadId })).body.comment.id
})
afterAll(() => site.close())

const open = async (url: string) => {
  const { statusCode, headers } = await site.app.inject({ method: 'GET', url })
  return [statusCode, headers.location]
}

test('redirects URLs of boards and threads on 4chan and vichan', async () => {
  const board = '/dtpchan/board/tech'
  for (const path of ['', '/', '/index.html', '/2', '/2.html']) {
    expect([path, ...(await open(`/tech${path}`))]).toEqual([path, 301, board])
  }
  for (const path of ['/catalog', '/catalog.html', '/catalog/']) {
    expect([path, ...(await open(`/tech${path}`))]).toEqual([path, 301, `${board}/catalog`])
  }
  const thread = `${board}/thread/${threadId}`
  for (const path of [
    'res/N.html',
    'res/N+50.html',
    'thread/N',
    'thread/N/some-title',
    'thread/N.html',
    'res/N.html?x=1',
  ]) {
    const url = (number: number) => `/tech/${path.replace('N', String(number))}`
    expect([path, ...(await open(url(threadId)))]).toEqual([path, 301, thread])
    expect([path, ...(await open(url(commentId)))]).toEqual([path, 301, `${thread}#p${commentId}`])
  }
})

test('redirects the URL of a board named after the catalog to the board', async () => {
  await createBoard(site, 'Catalog', admin)
  expect(await open('/catalog/')).toEqual([301, '/dtpchan/board/catalog'])
  expect(await open('/catalog/catalog')).toEqual([301, '/dtpchan/board/catalog/catalog'])
})

test('redirects URLs of a thread whose author deleted its first post', async () => {
  const { thread, deleteToken } = (await postThread(site, 'tech')).body
  await postComment(site, { boardId: 'tech', threadId: thread.id })
  await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${thread.id}`, { json: { deleteToken } })
  expect(await open(`/tech/res/${thread.id}.html`)).toEqual([301, `/dtpchan/board/tech/thread/${thread.id}`])
})

test('leaves other URLs alone', async () => {
  await createBoard(site, 'Other', admin)
  const urls = ['/nowhere/', '/nowhere/res/1.html', `/other/res/${threadId}.html`, '/tech/res/999999.html']
  for (const url of [
    ...urls,
    '/tech/res/x.html',
    '/tech/nothing',
    '/%00/',
    '/%00/1500000000001.jpg',
    '/%00/src/1.png',
  ]) {
    expect([url, (await open(url))[0]]).toEqual([url, 404])
  }
})

test('notices a new board at once', async () => {
  expect((await open('/fresh/'))[0]).toBe(404)
  await createBoard(site, 'Fresh', admin)
  expect(await open('/fresh/')).toEqual([301, '/dtpchan/board/fresh'])
})

test('reads the names of boards once for several old URLs, and not for a page', async () => {
  const { db, cache } = site.app.services
  await createBoard(site, 'Shared', admin)
  const [select, lastChange] = [vi.spyOn(db, 'select'), vi.spyOn(cache, 'lastChange')]
  try {
    await open('/about')
    expect(lastChange).not.toHaveBeenCalled()
    const urls = ['/tech/', '/tech/2', '/tech/index.rss']
    expect((await Promise.all(urls.map(open))).map(([status]) => status)).toEqual([301, 301, 301])
    // The boards of this site, and imported ones.
    expect(select).toHaveBeenCalledTimes(2)
  } finally {
    select.mockRestore()
    lastChange.mockRestore()
  }
})

test('gives no new board the name of a page or folder of the site', async () => {
  const folders = readdirSync(resolve('pages'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const pages = folders.map(({ name }) => name).filter((name) => name !== 'index' && name !== '_error')
  // Routes for files and calls, such as /assets/* and /metrics.
  const routes = site.app.printRoutes({ commonPrefix: false }).matchAll(/^[├└]── \/([a-z0-9-]+)[ /]/gm)
  const names = [...new Set([...pages, ...[...routes].map(([, name = '']) => name), 'assets', 'trpc', 'api'])]
  // Sites had a board of this name before the page.
  expect(names.filter((name) => !isReservedId(name))).toEqual(['radio'])
  expect(await createBoard(site, 'About', admin)).toBe('about-2')
  expect((await callApi(site, 'GET', '/api/threads.json')).status).toBe(404)
})

test('leaves the page of the radio to a site that has a board of this name', async () => {
  await createBoard(site, 'Radio', admin)
  expect([(await open('/radio'))[0], await open('/radio/catalog')]).toEqual([
    404,
    [301, '/dtpchan/board/radio/catalog'],
  ])
})

test('redirects URLs of feeds, and of pages with all boards', async () => {
  expect(await open('/tech/index.rss')).toEqual([301, '/dtpchan/board/tech/feed.atom'])
  expect((await open('/nowhere/index.rss'))[0]).toBe(404)
  for (const path of ['/catalog.html', '/overboard.html']) expect(await open(path)).toEqual([301, '/dtpchan/all'])
})

test('redirects URLs of images and thumbnails that were imported', async () => {
  const bytes = new Uint8Array(await stillImage(900, 600).png().toBuffer())
  const file = { filename: 'x', ext: '.png' }
  const folder = await writeFolder({
    'pics/res/1.json': fourchanThread(1, [
      { no: 2, tim: '15000-0', ...file, extra_files: [{ tim: '15000-1', ...file }] },
      { no: 3, tim: '15001', ...file },
    ]),
    'pics/src/15000-0.png': bytes,
    'pics/src/15000-1.png': bytes,
    'pics/src/15001.png': bytes,
    'posts.json': JSON.stringify({
      ...{ postId: 1, thread: null, board: 'jp', date: '2021-10-02T23:15:42.675Z', message: 'x' },
      files: [{ filename: 'ab12.png' }, { filename: 'ab12.png' }],
    }),
    'boards.json': JSON.stringify({ _id: 'jp', settings: {} }),
    'file/ab12.png': bytes,
  })
  await importBoards(site.app.services, openFolder(folder, ['pics']), collectProblems().options)
  await importBoards(site.app.services, openJschanExport(folder, [], folder), collectProblems().options)
  const id = (await open('/pics/res/2.html'))[1]?.toString().split('#p')[1]
  const { body } = await callApi(site, 'GET', `/api/dtpchan/boards/pics/threads/${Number(id) - 1}`)
  const [comment] = body.thread.comments
  await expect.poll(() => open('/pics/src/15000-1.png')).toEqual([301, comment.pictures[1].url])
  expect(await open('/pics/src/15000-0.png')).toEqual([301, comment.picture.url])
  const [, thumbnail] = await open('/pics/thumb/15000-0.jpg')
  expect([comment.picture.preview.url, (await open(String(thumbnail)))[0]]).toEqual([thumbnail, 200])
  for (const path of ['/file/ab12.png', '/file/thumb/ab12.jpg']) {
    expect((await open(String((await open(path))[1])))[0]).toBe(200)
  }
  const last = body.thread.comments[1]
  expect((await open('/pics/src/15001.png'))[0]).toBe(301)
  await callApi(site, 'DELETE', `${BOARDS}/pics/threads/${body.thread.id}/comments/${last.id}`, { token: admin })
  for (const path of [
    '/pics/src/15001.png',
    '/pics/src/9.png',
    '/nowhere/src/15000-0.png',
    '/file/x.png',
    '/%E6%97/src/1.png',
  ])
    expect([path, (await open(path))[0]]).toEqual([path, 404])
  await rm(folder, { recursive: true })
})

test('finds a post of a thread by its old number', async () => {
  const folder = await writeFolder({
    'q/thread/1.json': fourchanThread(1, [{ no: 2 }]),
    'q/thread/3.json': fourchanThread(3),
  })
  await importBoards(site.app.services, openFolder(folder, ['q']), collectProblems().options)
  await rm(folder, { recursive: true })
  const first = Number((await open('/q/thread/1'))[1]?.toString().split('/').at(-1))
  const find = (threadId: number, number: unknown) =>
    findImportedId(site.app.services, importedPostParams.parse({ threadId, number }))
  expect(await Promise.all([find(first, 1), find(first, 2)])).toEqual([first, first + 1])
  const others = [
    find(first, 3),
    find(first, 9),
    find(threadId, 1),
    find(first, 'x'),
    find(0, 2),
    find(first, '9'.repeat(40)),
  ]
  expect(await Promise.all(others)).toEqual([null, null, null, null, null, null])
})

test('leads to an imported thread that was moved to another board', async () => {
  const folder = await writeFolder({ 'left/thread/1.json': fourchanThread(1, [{ no: 2 }]) })
  await importBoards(site.app.services, openFolder(folder, ['left']), collectProblems().options)
  await rm(folder, { recursive: true })
  const postId = Number((await open('/left/thread/1'))[1]?.toString().split('/').at(-1))
  const json = { boardId: 'left', postId, action: 'move', toBoard: 'tech' }
  expect((await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })).status).toBe(200)
  const thread = `/dtpchan/board/tech/thread/${postId}`
  expect(await open('/left/res/1.html')).toEqual([301, thread])
  expect(await open('/left/res/2.html')).toEqual([301, `${thread}#p${postId + 1}`])
  expect(await findImportedId(site.app.services, { threadId: postId, number: 2 })).toBe(postId + 1)
})

test('redirects the URLs of imported boards to their posts, also under an old name', async () => {
  // An old number that is also the number of a post of this site.
  const used = (await postThread(site, 'fresh')).body.thread.id
  const folder = await writeFolder({ 'b_ru/thread/1.json': fourchanThread(1, [{ no: 2 }, { no: used }]) })
  const { options } = collectProblems({ into: 'fresh' })
  expect((await open('/b_ru/'))[0]).toBe(404)
  await importBoards(site.app.services, openFolder(folder, ['b_ru']), options)
  await rm(folder, { recursive: true })
  const thread = `/dtpchan/board/fresh/thread/${used + 1}`
  await expect.poll(() => open('/b_ru/')).toEqual([301, '/dtpchan/board/fresh'])
  for (const path of ['res/1.html', 'res/1+50.html', 'thread/1', 'thread/1.html']) {
    expect([path, ...(await open(`/b_ru/${path}`))]).toEqual([path, 301, thread])
  }
  for (const number of [2, used]) {
    expect(await open(`/b_ru/res/${number}.html`)).toEqual([301, `${thread}#p${used + number}`])
  }
  for (const path of ['/b_ru/res/9.html', '/b_ru/res/99999999999.html', '/other/res/1.html']) {
    expect([path, (await open(path))[0]]).toEqual([path, 404])
  }
})

test('leaves the URL of the operator’s page to it, also if a board has its name', async () => {
  await createBoard(site, 'Rules', admin)
  expect(await open('/rules')).toEqual([301, '/dtpchan/board/rules'])
  await mkdir(join(site.dataDir, 'site/pages'), { recursive: true })
  await writeFile(join(site.dataDir, 'site/pages/rules.md'), '# The rules')
  site.setNow(new Date(Date.now() + 10_000))
  for (const path of ['/rules', '/rules/']) expect((await open(path))[0]).toBe(404)
  expect(await open('/rules/catalog')).toEqual([301, '/dtpchan/board/rules/catalog'])
})
