import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { cleanUpFiles } from '#server/jobs.ts'
import { t } from '#src/i18n/t.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const TAKEDOWNS = '/api/moderation/takedowns'

let site: TestSite
let admin: string
let moderator: string
let boardId: string
let images = 0

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  boardId = await createBoard(site, 'Watched', admin)
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
})
afterAll(() => site.close())

const takeDown = (url: string, token = admin) => callApi(site, 'POST', TAKEDOWNS, { json: { url }, token })
const status = async (url: string) => (await callApi(site, 'GET', url)).status
const readLog = async () => (await callApi(site, 'GET', '/api/moderation/log')).body.entries

/** Images that look alike would be blocked after the first takedown. */
async function createImage() {
  const bytes = await openRaw(await createVariedImage(++images))
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
}
async function createThread(fields = {}) {
  const { thread } = (await postThread(site, boardId, fields)).body
  return { id: thread.id as number, path: `/dtpchan/board/${boardId}/thread/${thread.id}`, picture: thread.picture }
}
const createPaste = async (content: string) => {
  const { body } = await callApi(site, 'POST', '/api/paste', { json: { content, expiryHours: 1 } })
  return new URL(body.url).pathname
}
const filesOf = (picture: { url: string; preview: { url: string }; display: { url: string } }) => [
  picture.url,
  picture.preview.url,
  picture.display.url,
]
const listStoredFiles = async () =>
  (await readdir(join(site.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

/** Returns the names of the tables that contain a text. */
async function findTables(text: string): Promise<string[]> {
  const { db } = site.app.services
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.execute(sql`select 1 from ${sql.identifier(name)} t where strpos(t::text, ${text}) > 0`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('a takedown', () => {
  test('of a comment erases it with its replies and files', async () => {
    const thread = await createThread({ content: 'stays' })
    const at = { boardId, threadId: thread.id }
    const { comment } = (await postComment(site, at, { content: 'worst words', image: await createImage() })).body
    await postComment(site, { ...at, commentId: comment.id }, { content: `>>${comment.id} worst words` })
    const files = filesOf(comment.picture)
    expect(await findTables('worst words')).toEqual(['post'])
    expect((await takeDown(`${thread.path}#p${comment.id}`)).status).toBe(200)
    expect(await findTables('worst words')).toEqual([])
    expect(await Promise.all(files.map(status))).toEqual([410, 410, 410])
    const stored = await listStoredFiles()
    for (const file of files) expect(stored.filter((name) => name.startsWith(file.split('/').at(-1) ?? ''))).toEqual([])
    const { body } = await callApi(site, 'GET', `${BOARDS}/${boardId}/threads/${thread.id}`)
    expect([body.thread.content, body.thread.commentCount, body.thread.replyCount]).toEqual(['stays', 0, 0])
    expect((await readLog())[0]).toMatchObject({
      action: 'takedown',
      role: 'admin',
      boardId,
      count: 2,
      canRestore: false,
    })
  })

  test('of an opening post erases the whole thread', async () => {
    const thread = await createThread({ title: 'Worst title', image: await createImage() })
    await postComment(site, { boardId, threadId: thread.id }, { content: 'below the worst' })
    expect((await takeDown(thread.path, moderator)).status).toBe(200)
    for (const text of ['Worst title', 'below the worst']) expect(await findTables(text)).toEqual([])
    expect(await status(`${thread.path}/feed.atom`)).toBe(410)
    expect(await status(`${thread.path}/feed.json`)).toBe(410)
    expect(await Promise.all(filesOf(thread.picture).map(status))).toEqual([410, 410, 410])
    expect((await takeDown(thread.path)).status).toBe(404)
  })

  test('of a paste makes its page and raw text answer 410', async () => {
    const paste = await createPaste('worst paste')
    expect(await status(`${paste}/raw`)).toBe(200)
    expect((await takeDown(paste, moderator)).status).toBe(403)
    expect((await takeDown(paste)).status).toBe(200)
    const gone = await callApi(site, 'GET', `${paste}/raw`)
    expect([gone.status, gone.body.error]).toEqual([410, 'This was taken down'])
    expect(await status(`/api${paste}`)).toBe(410)
    expect(await status('/paste/AAAAAAAAAAAAAAAAAAAAAA/raw')).toBe(404)
    expect(await findTables(paste.split('/').at(-1) ?? '')).toEqual([])
  })

  test('of a shared image erases its files', async () => {
    const form = toFormData({ image: await createImage(), expiryHours: '1' })
    const { body } = await callApi(site, 'POST', '/api/image-share', { form })
    const path = new URL(body.url).pathname
    const file = new URL(body.imageUrl).pathname
    // The URL of the file names the shared image, too.
    expect((await takeDown(file)).status).toBe(200)
    expect([await status(`/api${path}`), await status(file)]).toEqual([410, 410])
    expect((await listStoredFiles()).filter((name) => name.startsWith(body.filename.split('.')[0]))).toEqual([])
  })

  test('of a program removes it from the list', async () => {
    const json = { name: 'Worst', link: 'https://example.org/', description: 'text', addedBy: 'me', category: 'Media' }
    const { program } = (await callApi(site, 'POST', '/api/programs', { json, token: admin })).body
    expect((await takeDown(`/programs-we-love#program-${program.id}`)).status).toBe(200)
    expect((await callApi(site, 'GET', '/api/programs')).body.programs).toEqual([])
  })

  test('erases posts that were removed before, and those with files that are withheld', async () => {
    const thread = await createThread()
    const { comment } = (
      await postComment(
        site,
        { boardId, threadId: thread.id },
        { content: 'removed words', image: await createImage() },
      )
    ).body
    const url = `${thread.path}#p${comment.id}`
    await callApi(site, 'POST', '/api/moderation/reports', {
      json: { url, reason: 'illegal', ...(await solveChallenge(site)) },
    })
    await callApi(site, 'POST', '/api/moderation/act', {
      json: { boardId, postId: comment.id, action: 'delete' },
      token: moderator,
    })
    const { items } = (await callApi(site, 'GET', '/api/moderation/queue', { token: admin })).body
    const { reportId, content } = items[0].report
    expect(content).toMatchObject({ isRemoved: true, post: { content: 'removed words', picture: null } })
    expect(await findTables('removed words')).toEqual(['post'])
    const resolution = await callApi(site, 'POST', `/api/moderation/reports/${reportId}`, {
      json: { action: 'take-down', reason: 'law' },
      token: moderator,
    })
    expect(resolution.status).toBe(200)
    expect(await findTables('removed words')).toEqual([])
    expect(await Promise.all(filesOf(comment.picture).map(status))).toEqual([410, 410, 410])
    const imageId = comment.picture.url.split('/').at(-1).split('.')[0]
    expect((await listStoredFiles()).filter((name) => name.startsWith(imageId))).toEqual([])
    expect((await readLog())[0]).toMatchObject({ action: 'takedown', role: 'moderator', reason: 'law', count: 1 })
  })

  test('finds a removed post by its URL and by the URL of its image', async () => {
    const [first, second] = [await createThread(), await createThread({ image: await createImage() })]
    for (const { id } of [first, second]) {
      const json = { boardId, postId: id, action: 'delete' }
      await callApi(site, 'POST', '/api/moderation/act', { json, token: moderator })
    }
    const file = filesOf(second.picture)[1] as string
    const member = await site.createToken('removed@example.org')
    expect([(await takeDown(first.path, member)).status, (await takeDown(file, member)).status]).toEqual([404, 404])
    expect([(await takeDown(first.path, moderator)).status, (await takeDown(file)).status]).toEqual([200, 200])
    expect(await status(file)).toBe(410)
    expect((await takeDown(first.path)).status).toBe(404)
  })

  test('blocks the image', async () => {
    const image = await createImage()
    const { path } = await createThread({ image })
    expect((await takeDown(path)).status).toBe(200)
    const again = await postThread(site, boardId, { image })
    expect([again.status, again.body.error]).toEqual([403, t('image.blocked')])
  })

  test('that a crash interrupted blocks the image when its file is cleaned up', async () => {
    const image = await createImage()
    const { path, picture } = await createThread({ image })
    const { db, files, cache } = site.app.services
    const name = filesOf(picture)[0]?.split('/').at(-1) ?? ''
    const stored = Buffer.concat(await ((await (await files.open(name))?.stream())?.toArray() ?? []))
    await takeDown(path)
    await db.execute(sql`delete from blocked_image where id = (select max(id) from blocked_image)`)
    cache.clear()
    await files.put(`${name}.withheld`, stored)
    await cleanUpFiles(site.app.services, 0)
    expect((await listStoredFiles()).filter((file) => file.startsWith(name))).toEqual([])
    expect((await postThread(site, boardId, { image })).status).toBe(403)
  })

  test('at the same time succeeds once', async () => {
    const paste = await createPaste('taken down twice')
    const answers = await Promise.all([takeDown(paste), takeDown(paste)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404])
    const { path } = await createThread()
    const posts = await Promise.all([takeDown(path), takeDown(path, moderator)])
    expect(posts.map((answer) => answer.status).sort()).toEqual([200, 404])
  })

  test.each([
    ['', 400],
    ['https://elsewhere.example/', 400],
    ['/paste/%00', 404],
    ['/dtpchan/board/watched/thread/99999', 404],
  ])('of %j is refused', async (url, expected) => {
    expect((await takeDown(url)).status).toBe(expected)
  })

  test('is refused to members, guests and moderators of other boards', async () => {
    const { path } = await createThread()
    const member = await site.createToken('member@example.org')
    await createBoard(site, 'Elsewhere', member)
    expect((await takeDown(path, member)).status).toBe(403)
    expect((await callApi(site, 'POST', TAKEDOWNS, { json: { url: path } })).status).toBe(401)
    expect(await status(`/api${path.replace('/board/', '/boards/').replace('/thread/', '/threads/')}`)).toBe(200)
  })
})

test.runIf(inject('database') === 'pglite')('leaves no text in the write-ahead log (embedded only)', async () => {
  const folder = join(site.dataDir, 'db', 'pg_wal')
  const logContains = async (text: string) => {
    const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
    const contents = await Promise.all(files.map(({ name }) => readFile(join(folder, name))))
    return contents.some((content) => content.includes(text))
  }
  const text = 'words of a log that nobody may keep'
  const thread = await createThread({ title: text, content: text })
  expect(await logContains(text)).toBe(true)
  expect((await takeDown(thread.path)).status).toBe(200)
  await expect.poll(() => logContains(text)).toBe(false)
})
