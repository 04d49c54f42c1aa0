import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readEventPosts } from '#server/features/board/read/singlePosts.ts'
import { callApi, createBoard, postThread, readThread, toFormData } from '#tests/helpers/apiCalls.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const ORIGIN = 'https://dtp.example'
const HOUR_MS = 3_600_000

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite({ SITE_URL: ORIGIN })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Links', admin)
})
afterAll(() => site.close())
afterEach(() => site.setNow(null))

const open = async (content: string, links: string[] = []): Promise<number> => {
  const { body } = await postThread(site, boardId, { content, links: JSON.stringify(links) })
  return body.thread.id
}
const cardsOf = async (threadId: number) => (await readThread(site, boardId, threadId)).body.thread.cards
const cardsIn = async (content: string, links?: string[]) => cardsOf(await open(content, links))

async function paste(fields: object = {}): Promise<{ url: string; path: string; deleteUrl: string }> {
  const { body } = await callApi(site, 'POST', '/api/paste', { json: { content: 'A text', expiryHours: 1, ...fields } })
  return { url: body.url, path: new URL(body.url).pathname, deleteUrl: body.deleteUrl }
}

async function shareImage(): Promise<string> {
  const image = new File([new Uint8Array(await stillImage(640, 480).png().toBuffer())], 'a.png', { type: 'image/png' })
  const { body } = await callApi(site, 'POST', '/api/image-share', { form: toFormData({ image, expiryHours: '24' }) })
  return body.url
}

async function addProgram(): Promise<number> {
  const json = { name: 'tmux', link: 'https://example.org', description: 'Splits', addedBy: 'moss', category: 'Tools' }
  return (await callApi(site, 'POST', '/api/programs', { json, token: admin })).body.program.id
}

test('describes the pastes, images and programs that a post links to, in threads, events and previews', async () => {
  const { url, path } = await paste()
  const image = await shareImage()
  const program = await addProgram()
  const id = await open(`See ${url} and ${image}.`, [`${ORIGIN}/programs-we-love#program-${program}`])
  const cards = [
    { kind: 'paste', path, bytes: expect.any(Number), expiresAt: expect.anything() },
    {
      kind: 'image',
      path: new URL(image).pathname,
      bytes: expect.any(Number),
      expiresAt: expect.anything(),
      preview: { url: expect.stringContaining('/dtpchan/uploads/'), width: 640, height: 480 },
    },
    {
      kind: 'program',
      path: `/programs-we-love#program-${program}`,
      name: 'tmux',
      description: 'Splits',
      category: 'Tools',
    },
  ]
  expect(await cardsOf(id)).toEqual(cards)
  expect((await readEventPosts(site.app.services, [id]))?.get(id)?.view.cards).toEqual(cards)
  expect((await callApi(site, 'GET', `/api/dtpchan/posts/${id}`)).body.post.cards).toEqual(cards)
})

test('describes a recorded show by the URL of its recording', async () => {
  const folder = join(site.dataDir, 'radio', 'shows', 'ferrite')
  const file = join(folder, 'stream_20260222-200000.mp3')
  await mkdir(folder, { recursive: true })
  await writeFile(file, silence(300))
  await utimes(file, new Date(0), new Date(0))
  const stations = (await callApi(site, 'GET', '/api/radio/stations')).body.stations
  const station = `/api/radio/station/${stations[0].id}`
  const { streamers } = (await callApi(site, 'GET', `${station}/streamers`)).body
  const streamer = `${station}/streamer/${streamers[0].id}`
  const { broadcasts } = (await callApi(site, 'GET', `${streamer}/broadcasts`)).body
  const cards = await cardsIn(`${ORIGIN}${streamer}/broadcast/${broadcasts[0].id}/download`)
  expect(cards).toMatchObject([{ kind: 'broadcast', path: `/archive?streamer=${streamers[0].id}` }])
  expect(await cardsIn(`${ORIGIN}${streamer}/broadcast/999999/download`)).toBeUndefined()
  expect(await cardsIn(`${ORIGIN}/api/radio/station/99/streamer/1/broadcast/1/download`)).toBeUndefined()
})

test('never describes pastes that burn or that a browser encrypted', async () => {
  const burning = await paste({ burnAfterReading: true })
  expect(await cardsIn(burning.url)).toBeUndefined()
  const { secrets, db } = site.app.services
  expect(secrets.paste.length).toBeGreaterThan(0)
  const sealed = await paste()
  await db.execute('update paste set flags = 2')
  expect(await cardsIn(sealed.url)).toBeUndefined()
})

test('describes no item that expires within the age of a cached page, or was deleted', async () => {
  const id = await open((await paste()).url)
  expect(await cardsOf(id)).toHaveLength(1)
  site.setNow(new Date(Date.now() + HOUR_MS - 59_000))
  expect(await cardsOf(id)).toBeUndefined()
  site.setNow(null)
  const deleted = await paste()
  await callApi(site, 'POST', `/api${new URL(deleted.deleteUrl).pathname}`, {
    json: { token: new URL(deleted.deleteUrl).searchParams.get('token') },
  })
  expect(await cardsIn(deleted.url)).toBeUndefined()
})

test('counts no views', async () => {
  const { url, path } = await paste()
  await cardsIn(url)
  expect((await callApi(site, 'GET', `/api${path}`)).body.paste.views).toBeLessThanOrEqual(1)
})

test.each([
  ['another site', (path: string) => `https://other.example${path}`],
  ['a host that only begins like this one', (path: string) => `${ORIGIN}.evil.example${path}`],
  ['a spoiler', (path: string) => `[spoiler]${ORIGIN}${path}[/spoiler]`],
  ['code', (path: string) => `\`${ORIGIN}${path}\``],
  ['an id that no paste has', () => `${ORIGIN}/paste/unknown`],
  ['an image with an invalid id', () => `${ORIGIN}/image-share/%00`],
  ['a program with a huge number', () => `${ORIGIN}/programs-we-love#program-999999999999999`],
  ['another page', () => `${ORIGIN}/about`],
])('describes nothing for %s', async (_name, write) => {
  expect(await cardsIn(write((await paste()).path))).toBeUndefined()
})

test('describes three items of a post, each once', async () => {
  const pastes = [await paste(), await paste(), await paste(), await paste()]
  const urls = pastes.map(({ url }) => url)
  expect(await cardsIn([urls[0], urls[0], ...urls.slice(1)].join('\n'))).toMatchObject(
    pastes.slice(0, 3).map(({ path }) => ({ path })),
  )
  const [first] = pastes
  expect(await cardsIn(`${first?.url} ${ORIGIN}/api${first?.path}/raw`)).toHaveLength(1)
})

test('links to boards and their posts, wherever these are, also in old posts', async () => {
  const other = await createBoard(site, 'Other', admin)
  const target = (await postThread(site, other)).body.thread.id
  const number = `>>>/${boardId}/${target}`
  const id = await open(`>>>/${other}/ ${number} >>>/later/ >>>/later/${target} >>>/${other}/999999 \`>>>/${other}/1\``)
  const linksOf = async () => (await readThread(site, boardId, id)).body.thread.boardLinks
  const toBoard = { text: `>>>/${other}/`, boardId: other }
  const toPost = { text: number, boardId: other, threadId: target, id: target }
  expect(await linksOf()).toEqual([toPost, toBoard])
  const event = (await readEventPosts(site.app.services, [id]))?.get(id)
  expect(event?.view.boardLinks).toEqual([toPost, toBoard])
  const preview = await callApi(
    site,
    'GET',
    `/trpc/board.post?input=${encodeURIComponent(JSON.stringify({ json: { postId: String(id) } }))}`,
  )
  expect(JSON.stringify(preview.body)).toContain(number)

  const html = (href: string, text: string) => `<a href="${href}" XX>${text.replaceAll('>', '&gt;')}</a>`
  const [opening] = JSON.parse((await site.app.inject(`/${boardId}/thread/${id}.json`)).body).posts
  const { threads } = JSON.parse((await site.app.inject(`/${boardId}/1.json`)).body)
  const listed = threads.flatMap(({ posts }: { posts: object[] }) => posts).find(({ no }: { no: number }) => no === id)
  const inJson = [html(`/${other}/`, `>>>/${other}/`), html(`/${other}/thread/${target}#p${target}`, number)]
  for (const link of inJson) {
    expect(opening.com).toContain(link.replace('XX', 'class="quotelink"'))
    expect(listed.com).toContain(link.replace('XX', 'class="quotelink"'))
  }
  const board = `${ORIGIN}/dtpchan/board/${other}`
  for (const feed of [`${boardId}/thread/${id}/feed.json`, `${boardId}/feed.json`]) {
    const { items } = JSON.parse((await site.app.inject(`/dtpchan/board/${feed}`)).body)
    const text = items.map(({ content_html }: { content_html: string }) => content_html).join()
    for (const link of [html(board, `>>>/${other}/`), html(`${board}/thread/${target}#p${target}`, number)])
      expect(text).toContain(link.replace('XX', 'rel="nofollow ugc noopener"'))
  }

  await createBoard(site, 'Later', admin)
  expect(await linksOf()).toEqual(expect.arrayContaining([{ text: '>>>/later/', boardId: 'later' }]))
  expect(await linksOf()).toHaveLength(4)
})

test('reads the names and numbers of the old site in imported posts', async () => {
  const id = await open('>>>/old/ >>>/old/2 >>>/old/7 >>>/new/')
  const second = await open('The second post')
  expect(second).toBe(id + 1)
  for (let at = 0; at < 6; at++) await open('Not of the old board')
  const { db } = site.app.services
  await db.execute(sql`insert into imported_board (name, board_id) values ('old', ${boardId})`)
  await db.execute(sql`insert into imported_range (source, first, last, shift) values ('old', 1, 5, ${id - 1})`)
  expect((await readThread(site, boardId, id)).body.thread.boardLinks).toEqual([
    { text: '>>>/old/', boardId },
    { text: '>>>/old/2', boardId, threadId: second, id: second },
  ])
})
