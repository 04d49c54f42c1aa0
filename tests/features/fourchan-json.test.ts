import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatPostTime } from '#server/features/board/fourchan/fourchanPosts.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { createFourchanReader, type FourchanReader, picture } from '#tests/helpers/fourchanReader.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let get: FourchanReader['get']
let read: FourchanReader['read']
let admin: string
let threadId: number
let commentId: number
let replyId: number
let farId: number
/** After the start of the server, which counts as the last change of all content. */
const START = new Date(Date.now() + 3_600_000)

const act = (postId: number, action: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId: 'tech', postId, action, reason: '' } })
/** Moves the clock on, in seconds. */
const wait = (seconds: number) => site.setNow(new Date(site.app.services.now().getTime() + seconds * 1000))

beforeAll(async () => {
  site = await startSite({ THREAD_POST_LIMIT: '6' })
  ;({ get, read } = createFourchanReader(site))
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Tech', admin)
  await createBoard(site, 'Far', admin)
  site.setNow(START)
  farId = (await postThread(site, 'far', { title: 'Elsewhere' })).body.thread.id
  threadId = (
    await postThread(site, 'tech', {
      title: 'Tapes & "discs"',
      author: 'gl1tch <x>',
      content: `>a quote\nand <b>text</b>\n\nsee >>${farId} and >>99999 [spoiler]hidden[/spoiler] https://example.org/?a=1&b=2`,
      links: '["https://example.com/"]',
      image: await picture(1200, 600),
    })
  ).body.thread.id
  wait(60)
  commentId = (await postComment(site, { boardId: 'tech', threadId }, { content: `>>${threadId}\nyes` })).body.comment
    .id
  wait(60)
  const at = { boardId: 'tech', threadId, commentId }
  replyId = (await postComment(site, at, { content: 'indeed', image: await picture(300, 900) })).body.reply.id
  await postComment(site, at, { content: `said in >>${commentId}` })
  wait(60)
})
afterAll(() => site.close())

describe('a thread', () => {
  test('has the documented fields', async () => {
    const { posts } = await read('thread', `/tech/thread/${threadId}.json`)
    const [opening, comment, reply, other] = posts
    expect(opening).toMatchObject({
      no: threadId,
      resto: 0,
      time: Math.floor(START.getTime() / 1000),
      name: 'gl1tch &lt;x&gt;',
      sub: 'Tapes &amp; &quot;discs&quot;',
      com: [
        '<span class="quote">&gt;a quote</span><br>and &lt;b&gt;text&lt;/b&gt;<br><br>',
        `see <a href="/far/thread/${farId}#p${farId}" class="quotelink">&gt;&gt;${farId}</a>`,
        ' and <span class="deadlink">&gt;&gt;99999</span> <s>hidden</s> ',
        '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow ugc noopener">https://example.org/?a=1&amp;b=2</a>',
        '<br><br><a href="https://example.com/" rel="nofollow ugc noopener">https://example.com/</a>',
      ].join(''),
      ext: '.jpg',
      w: 1200,
      h: 600,
      tn_w: 250,
      tn_h: 125,
      tim: START.getTime() * 1000 + threadId,
      semantic_url: 'tapes-discs',
      replies: 3,
      images: 1,
      now: formatPostTime(START),
      dtp_time: START.getTime(),
      dtp_links: ['https://example.com/'],
    })
    expect(comment).toMatchObject({ no: commentId, resto: threadId })
    expect(comment.com).toBe(`<a href="#p${threadId}" class="quotelink">&gt;&gt;${threadId}</a><br>yes`)
    const link = `<a href="#p${commentId}" class="quotelink">&gt;&gt;${commentId}</a>`
    expect(reply).toMatchObject({ no: replyId, resto: threadId, com: `${link}<br>indeed`, dtp_parent: commentId })
    expect(other.com).toBe(`said in ${link}`)
  })

  test('is the same at the URL of vichan', async () => {
    const [one, two] = await Promise.all([get(`/tech/thread/${threadId}.json`), get(`/tech/res/${threadId}.json`)])
    expect(two.body).toBe(one.body)
  })

  test('tells that it is pinned, locked and full, and that an image is covered', async () => {
    await act(threadId, 'pin')
    await act(threadId, 'lock')
    await act(replyId, 'spoiler')
    const { posts } = await read('thread', `/tech/thread/${threadId}.json`)
    expect(posts[0]).toMatchObject({ sticky: 1, closed: 1, locked: 1 })
    expect(posts[0]).not.toHaveProperty('cyclical')
    expect(posts[0]).not.toHaveProperty('bumplimit')
    expect(posts[2]).toMatchObject({ no: replyId, spoiler: 1 })
    for (const action of ['unpin', 'unlock', 'bumplock', 'cycle']) await act(threadId, action)
    const [moderated] = (await read('thread', `/tech/thread/${threadId}.json`)).posts
    expect(moderated).toMatchObject({ cyclical: 1, bumplimit: 1, dtp_bumplocked: 1 })
    for (const action of ['unbumplock', 'uncycle']) await act(threadId, action)
    for (let count = 0; count < 3; count++) await postComment(site, { boardId: 'tech', threadId })
    const [full] = (await read('thread', `/tech/thread/${threadId}.json`)).posts
    expect(full).toMatchObject({ replies: 6, bumplimit: 1, imagelimit: 1 })
  })

  test('is missing if it does not exist, was deleted, or is on another board', async () => {
    const doomed = (await postThread(site, 'tech')).body.thread.id
    await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${doomed}`, { token: admin })
    const urls = [doomed, farId, commentId, 999999999999999].map((number) => `/tech/thread/${number}.json`)
    for (const url of [...urls, `/nowhere/thread/${threadId}.json`, `/NO%00/res/${threadId}.json`]) {
      const response = await get(url)
      expect([url, response.statusCode, response.json().success]).toEqual([url, 404, false])
      expect(response.headers['access-control-allow-origin']).toBe('*')
    }
  })
})

test('lists the boards with their settings', async () => {
  const { boards } = await read('boards', '/boards.json')
  expect(boards[0]).toMatchObject({
    board: 'tech',
    title: 'Tech',
    meta_description: 'All about Tech',
    bump_limit: 6,
    cooldowns: { threads: 120, replies: 10, images: 30 },
  })
})

describe('an image', () => {
  test('is served under its number, with the size and hash that the thread tells', async () => {
    const [{ tim, ext, md5, fsize }] = (await read('thread', `/tech/thread/${threadId}.json`)).posts
    for (const url of [`/tech/${tim}${ext}`, `/tech/src/${tim}${ext}`]) {
      const response = await get(url)
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/jpeg'])
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      expect(response.rawPayload).toHaveLength(fsize)
      expect(createHash('md5').update(response.rawPayload).digest('base64')).toBe(md5)
      expect((await get(url, {}, 'HEAD')).headers['content-length']).toBe(String(fsize))
    }
    const thumbnails = [
      `/tech/${tim}s.jpg`,
      `/tech/thumb/${tim}s.jpg`,
      `/tech/thumb/${tim}.jpg`,
      `/tech/thumb/${tim}.png`,
    ]
    const [first, ...others] = await Promise.all(thumbnails.map((url) => get(url)))
    expect(first?.statusCode).toBe(200)
    expect(first?.rawPayload.length).toBeLessThan(fsize)
    for (const other of others) expect(other.rawPayload).toEqual(first?.rawPayload)
  })

  test('is missing under other numbers, on other boards, and after its post was removed', async () => {
    const thread = (await postThread(site, 'tech', { image: await picture(40, 40) })).body.thread.id
    const [{ tim }] = (await read('thread', `/tech/thread/${thread}.json`)).posts
    expect((await get(`/tech/${tim}.jpg`)).statusCode).toBe(200)
    const urls = [`/far/${tim}.jpg`, `/tech/${tim + 1}.jpg`, `/tech/${tim}.png`, '/tech/9999999999999999.jpg']
    for (const url of urls) expect([url, (await get(url)).statusCode]).toEqual([url, 404])
    await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${thread}`, { token: admin })
    for (const name of [`${tim}.jpg`, `${tim}s.jpg`]) expect((await get(`/tech/${name}`)).statusCode).toBe(404)
  })
})

describe('clients', () => {
  test('get a 304 until the content changes', async () => {
    const at = (await postThread(site, 'far')).body.thread.id
    const urls = [`/far/thread/${at}.json`, '/far/threads.json', '/far/catalog.json', '/far/1.json']
    wait(10)
    const versions = await Promise.all(urls.map((url) => get(url)))
    const poll = (index: number) =>
      get(urls[index] as string, { 'if-modified-since': String(versions[index]?.headers['last-modified']) })
    for (const [index, url] of urls.entries()) {
      const same = await poll(index)
      expect([url, same.statusCode, same.body]).toEqual([url, 304, ''])
      expect(same.headers['access-control-allow-origin']).toBe('*')
      const byTag = await get(url, { 'if-none-match': String(versions[index]?.headers.etag), 'if-modified-since': 'x' })
      expect(byTag.statusCode).toBe(304)
      expect(
        (await get(url, { 'if-none-match': '"other"', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }))
          .statusCode,
      ).toBe(200)
    }
    await postComment(site, { boardId: 'far', threadId: at })
    for (const [index, url] of urls.entries()) expect([url, (await poll(index)).statusCode]).toEqual([url, 200])
  })

  test('get a second version of the same second', async () => {
    const at = (await postThread(site, 'far')).body.thread.id
    const url = `/far/thread/${at}.json`
    const first = await get(url)
    await postComment(site, { boardId: 'far', threadId: at })
    const second = await get(url, { 'if-modified-since': String(first.headers['last-modified']) })
    expect([second.statusCode, second.json().posts.length]).toEqual([200, 2])
  })

  test('on other sites may read everything', async () => {
    for (const url of ['/boards.json', '/tech/1.json', '/tech/threads.json', `/tech/thread/${threadId}.json`]) {
      expect((await get(url)).headers['access-control-allow-origin']).toBe('*')
      const preflight = await get(url, { origin: 'https://reader.example' }, 'OPTIONS')
      expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([
        204,
        'if-modified-since, if-none-match, range',
      ])
      const head = await get(url, {}, 'HEAD')
      expect([head.statusCode, head.body]).toEqual([200, ''])
    }
  })
})
