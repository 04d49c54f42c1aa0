import { parseDocument } from 'htmlparser2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { article, feed } from '#db/schema/index.ts'
import { parseFeed } from '#server/features/news/feed/parseFeed.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { childText, findAll, parseXml, type XmlElement } from '#tests/helpers/xml.ts'

const ORIGIN = 'https://dtp.example.org'
/** a character that XML forbids but the site allows in titles */
const IMPOSSIBLE = String.fromCodePoint(0xfffe)
/** characters that XML forbids but the site allows in multi-line texts */
const IMPOSSIBLE_TEXT = String.fromCodePoint(0x01, 0x07, 0xfffe)
const HOSTILE = '</title><script>alert(1)</script> & "quoted" \'too\' ]]> 🙂'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite({ SITE_URL: ORIGIN })
  admin = await site.createToken('admin@example.org', 'admin')
})
afterEach(() => site.setNow(null))
afterAll(() => site.close())

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  site.app.inject({ method, url, headers })

/** Reads a feed and checks it against RFC 4287. */
async function read(url: string) {
  const answer = await get(url)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const root = parseXml(answer.body)
  expect([root.name, root.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom'])
  expect(linkOf(root, 'self')).toBe(`${ORIGIN}${url}`)
  const entries = findAll(root, 'entry')
  for (const element of [root, ...entries]) {
    expect(childText(element, 'id')).toMatch(/^https:\/\//)
    expect(childText(element, 'title').trim()).not.toBe('')
    expect(new Date(childText(element, 'updated')).toISOString()).toBe(childText(element, 'updated'))
    expect(linkOf(element, 'alternate')).toMatch(/^https:\/\//)
    expect(element.children.filter(({ name }) => name === 'author')).toHaveLength(1)
    expect(nameOf(element).trim()).not.toBe('')
  }
  expect(new Set(entries.map((entry) => childText(entry, 'id'))).size).toBe(entries.length)
  await expectSameJsonFeed(url, root, entries)
  return { answer, root, entries }
}

/** Checks the JSON Feed beside an Atom feed, which has the same entries. */
async function expectSameJsonFeed(url: string, root: XmlElement, entries: XmlElement[]): Promise<void> {
  const jsonUrl = url.replace(/atom$/, 'json')
  const answer = await get(jsonUrl)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/feed+json; charset=utf-8'])
  const feed = answer.json()
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    home_page_url: linkOf(root, 'alternate'),
    feed_url: `${ORIGIN}${jsonUrl}`,
  })
  expect(feed.items).toHaveLength(entries.length)
  for (const [index, entry] of entries.entries()) {
    const item = feed.items[index]
    expect([item.id, item.url, item.date_published, item.date_modified]).toEqual([
      childText(entry, 'id'),
      linkOf(entry, 'alternate'),
      childText(entry, 'published'),
      childText(entry, 'updated'),
    ])
    expect([item.title, item.authors[0].name, item.content_html ?? item.content_text]).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
    ])
    const enclosures = entry.children.filter(({ attributes }) => attributes.rel === 'enclosure')
    expect(item.attachments?.map((attachment: { url: string }) => attachment.url) ?? []).toEqual(
      enclosures.map(({ attributes }) => attributes.href),
    )
  }
}

const linkOf = (element: XmlElement, rel: string) =>
  element.children.find(({ name, attributes }) => name === 'link' && attributes.rel === rel)?.attributes.href
const nameOf = (element: XmlElement) =>
  childText(element.children.find(({ name }) => name === 'author') ?? element, 'name')
/** Returns the element names of an entry's HTML content. */
const elementsOf = (html: string) =>
  [...JSON.stringify(parseDocument(html), ['name', 'children']).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)

describe('board feed', () => {
  test('links a post of another board while it exists', async () => {
    const [far, near] = [await createBoard(site, 'Far', admin), await createBoard(site, 'Near', admin)]
    const quoted = (await postThread(site, far, { content: 'to be quoted' })).body.thread.id
    await postThread(site, near, { content: `see >>${quoted}` })
    const html = async () =>
      childText((await read(`/dtpchan/board/${near}/feed.atom`)).entries[0] as XmlElement, 'content')
    expect(await html()).toContain(`#p${quoted}`)
    await callApi(site, 'DELETE', `${BOARDS}/${far}/threads/${quoted}`, { token: admin })
    expect(await html()).not.toContain(`#p${quoted}`)
  })

  test('lists threads by latest activity', async () => {
    site.setNow(new Date('2026-05-01T10:00:00.000Z'))
    const boardId = await createBoard(site, 'Tech', admin)
    const url = `/dtpchan/board/${boardId}/feed.atom`
    const empty = await read(url)
    expect(empty.entries).toEqual([])
    expect(childText(empty.root, 'updated')).toBe('1970-01-01T00:00:00.000Z')
    expect((await read(url)).answer.headers.etag).toBe(empty.answer.headers.etag)

    const image = new File([await stillImage(900, 600).png().toBuffer()], 'a.png', { type: 'image/png' })
    const first = (await postThread(site, boardId, { title: 'First', image })).body.thread
    site.setNow(new Date('2026-05-02T10:00:00.000Z'))
    const second = (await postThread(site, boardId, { title: 'Second', author: 'ferrite' })).body.thread
    site.setNow(new Date('2026-05-03T10:00:00.000Z'))
    await postComment(site, { boardId, threadId: first.id })

    const { root, entries, answer } = await read(url)
    expect(linkOf(root, 'alternate')).toBe(`${ORIGIN}/dtpchan/board/tech`)
    expect(childText(root, 'title')).toBe('/tech/ - Tech')
    expect(entries.map((entry) => childText(entry, 'title'))).toEqual(['First', 'Second'])
    expect([childText(root, 'updated'), answer.headers['last-modified']]).toEqual([
      '2026-05-03T10:00:00.000Z',
      'Sun, 03 May 2026 10:00:00 GMT',
    ])
    const [one, two] = entries as [XmlElement, XmlElement]
    expect([childText(one, 'published'), childText(one, 'updated')]).toEqual([
      '2026-05-01T10:00:00.000Z',
      '2026-05-03T10:00:00.000Z',
    ])
    expect(linkOf(one, 'alternate')).toBe(`${ORIGIN}/dtpchan/board/tech/thread/${first.id}`)
    const enclosure = one.children.find(({ attributes }) => attributes.rel === 'enclosure')
    expect(enclosure?.attributes).toMatchObject({ href: `${ORIGIN}${first.image}`, type: 'image/png' })
    expect(Number(enclosure?.attributes.length)).toBe(first.picture.bytes)
    expect(childText(one, 'content')).toContain(`src="${ORIGIN}${first.picture.display.url}"`)
    expect([nameOf(two), linkOf(two, 'alternate')]).toEqual([
      'ferrite',
      `${ORIGIN}/dtpchan/board/tech/thread/${second.id}`,
    ])
  })

  test('is missing for an unknown or deleted board', async () => {
    await createBoard(site, 'Doomed', admin)
    await callApi(site, 'DELETE', `${BOARDS}/doomed`, { token: admin })
    for (const id of ['doomed', 'nowhere', '..', '%F0%9F%92%A9', 'x'.repeat(5000)]) {
      const answer = await get(`/dtpchan/board/${id}/feed.atom`)
      expect([id.slice(0, 20), answer.statusCode]).toEqual([id.slice(0, 20), 404])
    }
  })
})

describe('thread feed', () => {
  test('lists the newest fifty posts, newest first, with quotes and without spoilers', async () => {
    const boardId = await createBoard(site, 'Long', admin)
    const { id } = (await postThread(site, boardId, { title: 'The thread', content: 'Opening' })).body.thread
    const url = `/dtpchan/board/${boardId}/thread/${id}/feed.atom`
    const comment = (await postComment(site, { boardId, threadId: id }, { content: `>>${id} and >>999999` })).body
      .comment
    const reply = (
      await postComment(
        site,
        { boardId, threadId: id, commentId: comment.id },
        {
          content: '>quoted line\n[spoiler]the butler[/spoiler] https://example.org/?a=1&b=2',
          links: '["https://example.org/given"]',
        },
      )
    ).body.reply
    const { root, entries } = await read(url)
    const page = `${ORIGIN}/dtpchan/board/long/thread/${id}`
    expect(linkOf(root, 'alternate')).toBe(page)
    expect(entries.map((entry) => [childText(entry, 'title'), linkOf(entry, 'alternate')])).toEqual([
      [`Reply No. ${reply.id} to No. ${comment.id}`, `${page}#p${reply.id}`],
      [`Comment No. ${comment.id}`, `${page}#p${comment.id}`],
      ['The thread', `${page}#p${id}`],
    ])
    const [replied = '', commented = ''] = entries.map((entry) => childText(entry, 'content'))
    expect(replied).not.toContain('butler')
    expect(replied).toContain('[spoiler]')
    expect(replied).toContain('<blockquote><p>&gt;quoted line</p></blockquote>')
    expect(replied).toContain('href="https://example.org/?a=1&amp;b=2"')
    expect(replied).toContain('href="https://example.org/given"')
    expect(commented).toContain(
      `<a href="${page}#p${id}" rel="nofollow ugc noopener">&gt;&gt;${id}</a> and &gt;&gt;999999`,
    )

    for (let number = 0; number < 50; number++) await postComment(site, { boardId, threadId: id })
    const later = await read(url)
    expect(later.entries).toHaveLength(50)
    expect(later.entries.some((entry) => childText(entry, 'title') === 'The thread')).toBe(false)
  })

  test('answers 410 for a deleted thread and 404 for an unknown one', async () => {
    const boardId = await createBoard(site, 'Gone', admin)
    const { id } = (await postThread(site, boardId)).body.thread
    const url = `/dtpchan/board/${boardId}/thread/${id}/feed.atom`
    expect((await get(url)).statusCode).toBe(200)
    // The clock of a machine can go back.
    site.setNow(new Date(Date.now() - 60_000))
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${id}`, { token: admin })
    site.setNow(null)
    const answer = await get(url)
    expect([answer.statusCode, answer.json()]).toEqual([410, { success: false, error: 'Thread not found' }])
    expect((await get(url, {}, 'HEAD')).statusCode).toBe(410)
    for (const other of ['999999999', '0', 'abc', '1e3', '-1', '9'.repeat(400)]) {
      expect((await get(`/dtpchan/board/${boardId}/thread/${other}/feed.atom`)).statusCode).toBe(404)
    }
  })
})

test('stays well-formed and runs nothing for any user text', async () => {
  const boardId = await createBoard(site, `<b>${IMPOSSIBLE}&`, admin)
  const content = `${HOSTILE}\u2028${IMPOSSIBLE_TEXT}\n<img src=x onerror=alert(1)>`
  const author = `</name>${IMPOSSIBLE}<b>&`
  const { id } = (await postThread(site, boardId, { title: IMPOSSIBLE + HOSTILE, content, author })).body.thread
  // A name or title with only invalid characters must not become empty.
  await postThread(site, boardId, { title: IMPOSSIBLE, author: IMPOSSIBLE })
  for (const url of [`/dtpchan/board/${boardId}/feed.atom`, `/dtpchan/board/${boardId}/thread/${id}/feed.atom`]) {
    const { root, entries } = await read(url)
    expect(childText(root, 'title')).not.toContain(IMPOSSIBLE)
    const entry = entries.find((one) => nameOf(one) === '</name><b>&') as XmlElement
    expect(childText(entry, 'title')).toBe(HOSTILE)
    const made = elementsOf(childText(entry, 'content'))
    expect(made).toContain('p')
    expect(made.filter((name) => name === 'script' || name === 'img' || name === 'title')).toEqual([])
  }
})

test('answers 304 for an unchanged feed, and a new version after a deletion', async () => {
  const boardId = await createBoard(site, 'Asked', admin)
  const { id } = (await postThread(site, boardId)).body.thread
  const other = (await postThread(site, boardId)).body.thread.id
  const url = `/dtpchan/board/${boardId}/feed.atom`
  const { headers, body } = await get(url)
  const etag = String(headers.etag)
  expect(headers['cache-control']).toBe('public, no-cache')
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const again = await get(url, { 'if-none-match': tags })
    expect([tags, again.statusCode, again.body, again.headers.etag]).toEqual([tags, 304, '', etag])
  }
  expect((await get(url, { 'if-none-match': '"x"' })).statusCode).toBe(200)
  const head = await get(url, {}, 'HEAD')
  expect([head.statusCode, head.body, head.headers.etag, head.headers['content-length']]).toEqual([
    200,
    '',
    etag,
    String(Buffer.byteLength(body)),
  ])
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${id}`, { token: admin })
  const after = await get(url, { 'if-none-match': etag, 'if-modified-since': String(headers['last-modified']) })
  expect([after.statusCode, after.body.includes(`/thread/${other}`), after.body.includes(`/thread/${id}"`)]).toEqual([
    200,
    true,
    false,
  ])
})

test('lists the newest fifty articles with links to their sites', async () => {
  expect((await read('/today-in-tech/feed.atom')).entries).toEqual([])
  const { db } = site.app.services
  site.setNow(new Date('2026-05-10T00:00:00.000Z'))
  // The test writes to the database without publishing a change, so it must clear the cache.
  site.app.services.cache.clear()
  await db.insert(feed).values({ url: 'https://news.example.org/feed', nextAt: new Date() })
  const at = (number: number) => new Date(Date.UTC(2026, 4, 9) - number * 60_000)
  await db.insert(article).values(
    Array.from({ length: 60 }, (_, number) => ({
      feedUrl: 'https://news.example.org/feed',
      guid: String(number),
      url: `https://news.example.org/a?n=${number}&x=1`,
      urlKey: String(number),
      title: `Article ${number} <b>& more</b>`,
      source: 'news.example.org',
      publishedAt: at(number),
      seenAt: at(0),
      ...(number === 1 && {
        imageId: 'a'.repeat(24),
        image: { name: `${'a'.repeat(24)}.webp`, width: 640, height: 360 },
      }),
    })),
  )
  const { root, entries, answer } = await read('/today-in-tech/feed.atom')
  // The site's own feed parser finds the same entries.
  const again = parseFeed(answer.rawPayload, { url: new URL(`${ORIGIN}/today-in-tech/feed.atom`) })
  expect(again.items.map(({ url, guid }) => [url, guid])).toEqual(
    entries.map((entry) => [linkOf(entry, 'alternate'), childText(entry, 'id')]),
  )
  expect(linkOf(root, 'alternate')).toBe(`${ORIGIN}/today-in-tech`)
  expect(entries).toHaveLength(50)
  expect(entries.map((entry) => childText(entry, 'updated'))).toEqual(
    entries.map((_, number) => at(number).toISOString()),
  )
  const [plain, pictured] = entries as [XmlElement, XmlElement]
  expect([childText(plain, 'title'), nameOf(plain), linkOf(plain, 'alternate'), childText(plain, 'content')]).toEqual([
    'Article 0 <b>& more</b>',
    'news.example.org',
    'https://news.example.org/a?n=0&x=1',
    '',
  ])
  expect(childText(pictured, 'content')).toContain(`src="${ORIGIN}/dtpchan/uploads/${'a'.repeat(24)}.webp"`)
})
