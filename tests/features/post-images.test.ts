import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { readBoardPage, readCatalog } from '#server/features/board/read/threadLists.ts'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { cleanUpFiles, imageReferences } from '#server/jobs.ts'
import { REPORT_CALL } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  readThread,
  solveChallenge,
} from '#tests/helpers/apiCalls.ts'
import { fourchanSchemas } from '#tests/helpers/fourchanSchema.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Pictures', admin)
})
beforeEach(async () => {
  threadId = (await postThread(site, boardId, { title: 'Plain' })).body.thread.id
})
afterAll(() => site.close())

type Picture = { url: string; width: number; preview: { url: string }; display: { url: string } }

const toFile = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
/** Creates an image that is recognized by its width. */
const image = async (width: number) => toFile(await stillImage(width, 40).png().toBuffer())
const images = (...widths: number[]) => Promise.all(widths.map(image))
const comment = async (fields: Record<string, string | Blob[]>) =>
  (await postComment(site, { boardId, threadId }, fields)).body.comment
const thread = async () => (await readThread(site, boardId, threadId)).body.thread
const widths = (pictures: Picture[] | undefined) => pictures?.map(({ width }) => width)
const statusOf = async (url: string) => (await site.app.inject(url)).statusCode
const statuses = (pictures: Picture[]) => Promise.all(pictures.map(({ url }) => statusOf(url)))
const act = (postId: number, action: string, more: object = {}) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action, reason: '', ...more } })
const restore = (logId: number) => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
const json = async (path: string) => (await site.app.inject(`/${boardId}/${path}`)).json()
async function listFiles() {
  const names: string[] = []
  for await (const { name } of site.app.services.files.list()) names.push(name)
  return names.sort()
}
const readImageCount = async () => {
  const { db } = site.app.services
  const [row] = await db.execute<{ count: number }>(sql`select image_count as count from thread where id = ${threadId}`)
  return row?.count
}
/** Reads the counted bytes, and checks them against the rows. */
async function countBytes() {
  const { db } = site.app.services
  const read = async () =>
    Number((await db.execute<{ bytes: string }>(sql`select bytes from stored_bytes where kind = 'image'`))[0]?.bytes)
  const counted = await read()
  await db.execute(sql`select recount_stored()`)
  expect(await read()).toBe(counted)
  return counted
}

describe('a post with several images', () => {
  test('shows them in the order of sending, and the first one as its image', async () => {
    const posted = (await postThread(site, boardId, { title: 'Four', image: await images(40, 41, 42, 43) })).body.thread
    threadId = posted.id
    const commented = await comment({ image: await images(50, 51) })
    await postComment(site, { boardId, threadId, commentId: commented.id }, { image: await images(60, 61, 62) })
    const read = await thread()
    expect(widths(read.pictures)).toEqual([40, 41, 42, 43])
    expect(read.image).toBe(read.pictures[0].url)
    expect(read.picture).toEqual(read.pictures[0])
    expect(read.pictures).toEqual(posted.pictures)
    expect(widths(read.comments[0].pictures)).toEqual([50, 51])
    expect(widths(read.comments[0].replies[0].pictures)).toEqual([60, 61, 62])
    const urls = read.pictures.flatMap((one: Picture) => [one.url, one.preview.url, one.display.url])
    expect(await Promise.all(urls.map(statusOf))).toEqual(urls.map(() => 200))
    expect(await readImageCount()).toBe(9)
  })

  test('says how many there are in lists, and only there and only then', async () => {
    await comment({ image: await images(40) })
    const single = await thread()
    expect('pictures' in single || 'pictures' in single.comments[0]).toBe(false)
    threadId = (await postThread(site, boardId, { title: 'Three', image: await images(70, 71, 72) })).body.thread.id
    const { db } = site.app.services
    for (const { threads } of [await readBoardPage({ db }, boardId), await readCatalog({ db }, boardId)]) {
      const found = threads.find(({ id }) => id === threadId)
      expect([found?.furtherPictures, found?.picture?.width]).toEqual([2, 70])
    }
  })

  test('is found by a search for pictures, and has all of them in feeds', async () => {
    await comment({ content: 'kaleidoscope', image: await images(40, 41) })
    const { body } = await callApi(site, 'GET', `/api/dtpchan/search?q=kaleidoscope&images=true`)
    expect(body.hits).toHaveLength(1)
    const feed = await site.app.inject(`/dtpchan/board/${boardId}/thread/${threadId}/feed.atom`)
    const { pictures } = (await thread()).comments[0]
    for (const { url, display } of pictures) {
      expect(feed.body).toContain(`${url}"/>`)
      expect(feed.body).toContain(display.url)
    }
  })

  test('has them in 4chan’s format as vichan does, with URLs of their own', async () => {
    threadId = (await postThread(site, boardId, { title: 'Three', image: await images(40, 41, 42) })).body.thread.id
    await comment({ image: await images(50, 51) })
    const document = await json(`thread/${threadId}.json`)
    expect(fourchanSchemas.thread.safeParse(document).error?.issues ?? []).toEqual([])
    const [opening, answer] = document.posts
    expect([opening.images, opening.w, answer.w]).toEqual([2, 40, 50])
    expect(opening.extra_files.map(({ w }: { w: number }) => w)).toEqual([41, 42])
    const files = [opening, ...opening.extra_files, answer, ...answer.extra_files]
    expect(new Set(files.map(({ tim }) => tim)).size).toBe(5)
    const { pictures, comments } = await thread()
    const urls = [...pictures, ...comments[0].pictures].map(({ url }: Picture) => url)
    for (const [index, { tim, ext }] of files.entries()) {
      const [own, ours] = [await site.app.inject(`/${boardId}/${tim}${ext}`), await site.app.inject(urls[index] ?? '')]
      expect([own.statusCode, own.rawPayload.equals(ours.rawPayload)]).toEqual([200, true])
      expect(await statusOf(`/${boardId}/${tim}s.jpg`)).toBe(200)
    }
    expect(await statusOf(`/${boardId}/${files[2].tim + 1000}.png`)).toBe(404)
    const [listed] = (await json('catalog.json'))[0].threads
    expect([listed.no, listed.images, listed.omitted_images]).toEqual([threadId, 2, 0])
  })
})

describe('a refused image', () => {
  test.each([
    ['a broken file', async () => toFile(Buffer.from('no image')), [415, t('image.type')]],
    ['a file that is too large', async () => toFile(Buffer.alloc(6 * 1024 * 1024)), [413, t('image.size')]],
  ])('refuses the post and keeps none of its images: %s', async (_name, create, refusal) => {
    const [files, bytes] = [await listFiles(), await countBytes()]
    const { status, body } = await postComment(
      site,
      { boardId, threadId },
      { image: [...(await images(40, 41)), await create()] },
    )
    expect([status, body.error]).toEqual(refusal)
    expect([await listFiles(), await countBytes()]).toEqual([files, bytes])
    expect((await thread()).comments).toEqual([])
  })

  test('refuses a fifth one, also as JSON', async () => {
    const files = await listFiles()
    const { status, body } = await postComment(site, { boardId, threadId }, { image: await images(40, 41, 42, 43, 44) })
    expect([status, body.error]).toEqual([400, t('image.count', { max: 4 })])
    expect(await listFiles()).toEqual(files)
    for (const image of ['x', ['x'], [[]], {}, 5, { length: 1 }]) {
      const sent = { content: 'x', author: 'me', captchaAnswer: '1', challengeId: 'x', image }
      const url = `${BOARDS}/${boardId}/threads/${threadId}/comments`
      const answer = await callApi(site, 'POST', url, { json: sent })
      expect([answer.status, answer.body.error]).toEqual([400, t('image.type')])
    }
  })

  test('refuses a post with a blocked file in any place, and holds one with a copy', async () => {
    const bytes = await openRaw(await createVariedImage(33))
      .png()
      .toBuffer()
    const copy = toFile(await sharp(bytes).jpeg({ quality: 40 }).toBuffer())
    const { id } = await comment({ image: [toFile(bytes)] })
    const url = `/dtpchan/board/${boardId}/thread/${threadId}#p${id}`
    await callApi(site, 'POST', '/api/moderation/takedowns', { token: admin, json: { url } })
    const files = await listFiles()
    const refused = await postComment(site, { boardId, threadId }, { image: [...(await images(40)), toFile(bytes)] })
    expect([refused.status, refused.body.error]).toEqual([403, t('image.blocked')])
    expect(await listFiles()).toEqual(files)
    const held = await postComment(site, { boardId, threadId }, { image: [...(await images(40)), copy] })
    expect(held.body).toMatchObject({ held: true, comment: { image: null } })
    expect(held.body.comment.pictures).toBeUndefined()
    expect((await listFiles()).filter((name) => name.endsWith('.withheld'))).toHaveLength(6)
  })
})

describe('moderation', () => {
  test('removes and restores all images of a post, and erases them after a week', async () => {
    const files = await listFiles()
    const bytes = await countBytes()
    const { id, pictures } = await comment({ image: await images(40, 41, 42) })
    const before = await thread()
    const stored = await countBytes()
    const { body } = await act(id, 'delete')
    expect(await statuses(pictures)).toEqual([404, 404, 404])
    expect([await countBytes(), await readImageCount()]).toEqual([stored, 0])
    await restore(body.logId)
    expect(await thread()).toEqual(before)
    expect(await statuses(pictures)).toEqual([200, 200, 200])
    expect([await countBytes(), await readImageCount()]).toEqual([stored, 3])
    await act(id, 'delete')
    site.setNow(new Date(Date.now() + 8 * DAY_MS))
    await eraseOldPosts(site.app.services)
    site.setNow(null)
    expect([await listFiles(), await countBytes()]).toEqual([files, bytes])
  })

  test('deletes one image of a post; the others keep their order and numbers', async () => {
    const bytes = await countBytes()
    const { id, pictures } = await comment({ image: await images(40, 41, 42) })
    const { extra_files } = (await json(`thread/${threadId}.json`)).posts[1]
    expect((await act(id, 'delete-image', { image: pictures[0].url })).body.count).toBe(1)
    expect((await act(id, 'delete-image', { image: pictures[0].url })).status).toBe(404)
    const [left] = (await thread()).comments
    expect([widths(left.pictures), left.picture.width, left.image]).toEqual([[41, 42], 41, pictures[1].url])
    expect(await statuses(pictures)).toEqual([404, 200, 200])
    const [, answer] = (await json(`thread/${threadId}.json`)).posts
    expect([answer.tim, answer.extra_files[0].tim]).toEqual(extra_files.map(({ tim }: { tim: number }) => tim))
    expect(await readImageCount()).toBe(2)
    await act(id, 'delete-image', { image: pictures[2].url })
    expect((await thread()).comments[0].pictures).toBeUndefined()
    await countBytes()
    await act(id, 'delete-image')
    expect((await thread()).comments[0]).toMatchObject({ image: null, picture: null })
    expect([await countBytes(), await readImageCount()]).toEqual([bytes, 0])
  })

  test('deletes all images at once, also from two moderators at the same time', async () => {
    const files = await listFiles()
    const { id } = await comment({ image: await images(40, 41, 42, 43) })
    await act(id, 'spoiler')
    expect((await thread()).comments[0]).toMatchObject({ spoiler: true })
    const counts = (await Promise.all([act(id, 'delete-image'), act(id, 'delete-image')])).map(({ body }) => body.count)
    expect(counts.filter((count) => count === 1)).toHaveLength(1)
    expect((await thread()).comments[0]).toMatchObject({ image: null, spoiler: false })
    expect(await listFiles()).toEqual(files)
  })

  test('takes down a post by the URL of any of its images, and blocks all', async () => {
    const { pictures, id } = await comment({ content: 'worst', image: await images(140, 141, 142) })
    const json = { url: pictures[2].display.url, reason: 'spam', text: '', ...(await solveChallenge(site)) }
    expect((await callApi(site, 'POST', REPORT_CALL, { json })).status).toBe(200)
    const taken = await callApi(site, 'POST', '/api/moderation/takedowns', { token: admin, json: { url: json.url } })
    expect(taken.status).toBe(200)
    expect(await statuses(pictures)).toEqual([410, 410, 410])
    expect((await thread()).comments.map((one: { id: number }) => one.id)).not.toContain(id)
    for (const width of [140, 141, 142]) {
      const again = await postComment(site, { boardId, threadId }, { image: await images(width) })
      expect(again.body.error).toBe(t('image.blocked'))
    }
  })

  test('finds a removed post by the URL of any of its images', async () => {
    const { pictures, id } = await comment({ image: await images(150, 151) })
    await act(id, 'delete')
    const url = pictures[1].url
    expect((await callApi(site, 'POST', '/api/moderation/takedowns', { token: admin, json: { url } })).status).toBe(200)
    expect(await statuses(pictures)).toEqual([410, 410])
  })

  test('shows the images of a held post to moderators only, until it is published', async () => {
    const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
    await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
    const { id } = await comment({ content: 'doubtful', image: await images(160, 161) })
    const held = (await callApi(site, 'GET', '/api/moderation/held', { token: admin })).body.posts
    expect(held.find((one: { id: number }) => one.id === id)).toMatchObject({ hasImage: true, imageCount: 2 })
    const read = async (query: string) =>
      (await callApi(site, 'GET', `/api/moderation/held/${id}/image${query}`, { token: admin })).body.image?.width
    expect([await read(''), await read('?number=2'), await read('?number=3')]).toEqual([160, 161, undefined])
    await callApi(site, 'POST', `/api/moderation/held/${id}/approve`, { token: admin })
    const [published] = (await thread()).comments
    expect(widths(published.pictures)).toEqual([160, 161])
    expect(await statuses(published.pictures)).toEqual([200, 200])
    expect(await readImageCount()).toBe(2)
  })

  test('deletes the files of a deleted board', async () => {
    const files = await listFiles()
    const other = await createBoard(site, 'Doomed', admin)
    await postThread(site, other, { image: await images(40, 41, 42) })
    expect((await listFiles()).length).toBe(files.length + 9)
    await callApi(site, 'DELETE', `${BOARDS}/${other}`, { token: admin })
    expect(await listFiles()).toEqual(files)
  })
})

describe('after a crash', () => {
  test('the job deletes files without a post, and keeps all images of posts', async () => {
    const { id, pictures } = await comment({ image: await images(40, 41, 42) })
    const removed = await comment({ image: await images(43, 44) })
    await act(removed.id, 'delete')
    const files = await listFiles()
    await site.app.services.files.put(`${'0'.repeat(24)}.png`, Buffer.from('left'))
    site.setNow(new Date(Date.now() + DAY_MS))
    await cleanUpFiles(site.app.services)
    site.setNow(null)
    expect(await listFiles()).toEqual(files)
    await site.app.services.db.execute(sql`delete from post where id = ${id}`)
    await deleteOrphanedFiles({ ...site.app.services, now: () => new Date(Date.now() + DAY_MS) }, imageReferences)
    expect(await statuses(pictures)).toEqual([404, 404, 404])
    expect((await listFiles()).length).toBe(files.length - 9)
  })

  test('the job repairs the names of all files of a post', async () => {
    const { id, pictures } = await comment({ image: await images(40, 41) })
    const names = (await listFiles()).filter((name) =>
      pictures.some((one: Picture) => one.url.includes(name.slice(0, 24))),
    )
    expect(names).toHaveLength(6)
    await site.app.services.files.withhold(names)
    await eraseOldPosts(site.app.services)
    expect(await statuses(pictures)).toEqual([200, 200])
    await act(id, 'delete')
    await site.app.services.files.release(names)
    expect(await statuses(pictures)).toEqual([200, 200])
    await eraseOldPosts(site.app.services)
    expect(await statuses(pictures)).toEqual([404, 404])
  })
})
