import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { post, report } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { callApi, createBoard, postComment, postThread, solveChallenge, toFormData } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const REPORTS = '/api/moderation/reports'
const QUEUE = '/api/moderation/queue'
const ORIGIN = 'https://dtp.example.org'

let site: TestSite
let admin: string
let moderator: string
let boardId: string

beforeAll(async () => {
  site = await startSite({ SITE_URL: ORIGIN })
  admin = await site.createToken('admin@example.org', 'admin')
  moderator = await site.createToken('moderator@example.org')
  boardId = await createBoard(site, 'Watched', admin)
  await changeModerator(site.app.services, boardId, 'add', 'moderator@example.org')
})
afterAll(() => site.close())

const sendReport = async (fields: Record<string, unknown>) =>
  callApi(site, 'POST', REPORTS, { json: { reason: 'spam', ...fields, ...(await solveChallenge(site)) } })
const readQueue = async (token = admin) => (await callApi(site, 'GET', QUEUE, { token })).body
const resolve = (reportId: number, action: string, token = admin) =>
  callApi(site, 'POST', `${REPORTS}/${reportId}`, { json: { action }, token })
/** Returns the queue's entry of an item. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
const findEntry = async (itemUrl: string, token = admin): Promise<any> =>
  (await readQueue(token)).items
    .map(({ report }: { report: object }) => report)
    .find(({ path }: { path: string | null }) => path === itemUrl)

async function createThread(fields = {}) {
  const { thread } = (await postThread(site, boardId, fields)).body
  return { id: thread.id as number, path: `/dtpchan/board/${boardId}/thread/${thread.id}`, image: thread.image }
}
const createPaste = async (content: string, fields = {}) => {
  const { body } = await callApi(site, 'POST', '/api/paste', { json: { content, expiryHours: 1, ...fields } })
  return new URL(body.url).pathname
}
async function createImageShare() {
  const bytes = await stillImage(300, 200).png().toBuffer()
  const image = new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
  const { body } = await callApi(site, 'POST', '/api/image-share', { form: toFormData({ image, expiryHours: '1' }) })
  return { path: new URL(body.url).pathname, file: new URL(body.imageUrl).pathname }
}
async function createProgram(name: string) {
  const json = { name, link: 'https://example.org/', description: 'text', addedBy: 'me', category: 'Media' }
  const { body } = await callApi(site, 'POST', '/api/programs', { json, token: admin })
  return `/programs-we-love#program-${body.program.id}`
}

describe('a report', () => {
  test('of each kind of item shows the item to admins', async () => {
    const thread = await createThread({ title: 'Reported thread', content: 'reported words' })
    const comment = (await postComment(site, { boardId, threadId: thread.id }, { content: 'a bad comment' })).body
      .comment.id
    const paste = await createPaste('a bad paste')
    const share = await createImageShare()
    const program = await createProgram('Bad program')
    const urls = [thread.path, `${ORIGIN}${thread.path}#p${comment}`, `${ORIGIN}${paste}#key`, share.path, program]
    for (const url of urls) expect((await sendReport({ url, text: 'look at this' })).status).toBe(200)
    expect(await findEntry(`${thread.path}#p${thread.id}`)).toMatchObject({
      kind: 'post',
      count: 1,
      reports: [{ reason: 'spam', text: 'look at this' }],
      content: { title: 'Reported thread', post: { content: 'reported words' } },
    })
    expect(await findEntry(`${thread.path}#p${comment}`)).toMatchObject({
      content: { title: 'Reported thread', post: { content: 'a bad comment' } },
    })
    expect(await findEntry(`${paste}#key`)).toMatchObject({ kind: 'paste', content: { text: 'a bad paste' } })
    expect(await findEntry(share.path)).toMatchObject({ kind: 'image', content: { share: { views: 0 } } })
    expect(await findEntry(program)).toMatchObject({ kind: 'program', content: { program: { name: 'Bad program' } } })
    expect((await readQueue()).counts.report).toBe(5)
  })

  test.each(['removed', 'erased'] as const)(
    'of a thread whose first post its author deleted shows its title, which stays: %s',
    async (state) => {
      const { thread, deleteToken } = (await postThread(site, boardId, { title: 'A bad title' })).body
      await postComment(site, { boardId, threadId: thread.id })
      const url = `/dtpchan/board/${boardId}/thread/${thread.id}`
      await callApi(site, 'DELETE', `/api/dtpchan/boards/${boardId}/threads/${thread.id}`, { json: { deleteToken } })
      await site.app.services.db.update(post).set({ state, content: '' }).where(eq(post.id, thread.id))
      expect((await sendReport({ url })).status).toBe(200)
      const entry = await findEntry(`${url}#p${thread.id}`)
      expect(entry).toMatchObject({ content: { title: 'A bad title', isRemoved: true } })
      expect((await resolve(entry.reportId, 'delete')).status).toBe(200)
      expect((await site.app.inject({ method: 'GET', url: `${url}/feed.json` })).statusCode).toBe(410)
    },
  )

  test('accepts the number of a post beside the URL of its thread, and the URL of an image', async () => {
    const bytes = await stillImage(300, 200).png().toBuffer()
    const image = new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
    const thread = await createThread({ image })
    const comment = (await postComment(site, { boardId, threadId: thread.id })).body.comment.id
    expect((await sendReport({ url: thread.path, post: String(comment) })).status).toBe(200)
    expect(await findEntry(`${thread.path}#p${comment}`)).toBeDefined()
    expect((await sendReport({ url: `${ORIGIN}${thread.image}` })).status).toBe(200)
    expect(await findEntry(`${thread.path}#p${thread.id}`)).toBeDefined()
    const other = await createThread()
    const refused = await sendReport({ url: other.path, post: String(comment) })
    expect([refused.status, refused.body.error]).toEqual([404, 'The thread has no post with this number'])
  })

  test.each<[unknown, number, string | RegExp]>([
    ['https://elsewhere.example/paste/x', 400, 'This URL is not on this site'],
    ['//elsewhere.example/x', 400, 'This URL is not on this site'],
    ['javascript:alert(1)', 400, 'This URL is not on this site'],
    ['https://dtp.example.org:81/paste/x', 400, 'This URL is not on this site'],
    ['https://dtp.example.org@elsewhere.example/', 400, 'This URL is not on this site'],
    ['http://[', 400, 'This URL is not on this site'],
    [' ', 400, 'Enter the URL of what you report'],
    [null, 400, 'Enter the URL of what you report'],
    [{}, 400, 'Enter the URL of what you report'],
    ['/about', 400, /^Only posts, pastes, shared images and programs/],
    ['/programs-we-love', 400, /^Only posts/],
    ['/dtpchan/board/watched', 400, /^Only posts/],
    ['/dtpchan/board/watched/thread/999999', 404, /^There is nothing at this URL/],
    ['/dtpchan/board/nowhere/thread/1', 404, /^There is nothing/],
    ['/paste/AAAAAAAAAAAAAAAAAAAAAA', 404, /^There is nothing/],
    ['/paste/%00', 404, /^There is nothing/],
    ['/paste/%ff', 404, /^There is nothing/],
    ['/image-share/%00', 404, /^There is nothing/],
    ['/dtpchan/uploads/..%2f..%2fsecret.key', 404, /^There is nothing/],
    ['/dtpchan/uploads/0123456789abcdef01234567.png', 404, /^There is nothing/],
    ['/programs-we-love#program-999999999999999', 404, /^There is nothing/],
  ])('of %s is refused', async (url, status, error) => {
    const answer = await sendReport({ url })
    expect([answer.status, answer.body.success]).toEqual([status, false])
    expect(answer.body.error).toMatch(error)
  })

  test.each([
    [{ reason: 'because' }, 'Choose a reason'],
    [{ reason: undefined }, 'Choose a reason'],
    [{ text: ['a'] }, 'The text cannot be read'],
    [{ text: 'a\0b' }, 'Text contains characters that cannot be stored'],
    [{ post: '-1' }, 'The post number must be a whole number'],
    [{ post: {} }, 'The post number must be a whole number'],
  ])('with %j is refused', async (fields, error) => {
    const { path } = await createThread()
    const answer = await sendReport({ url: path, ...fields })
    expect([answer.status, answer.body.error]).toEqual([400, error])
  })

  test.each(['url', 'text'])('with a long %s is refused', async (field) => {
    const { path } = await createThread()
    const answer = await sendReport({ url: path, [field]: `/${'x'.repeat(2000)}` })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/must be at most 2000 characters$/)
  })

  test('needs a captcha, each of which serves one report', async () => {
    const { path } = await createThread()
    const captcha = await solveChallenge(site)
    const send = (answer = captcha, reason = 'spam') =>
      callApi(site, 'POST', REPORTS, { json: { url: path, reason, ...answer } })
    const both = await Promise.all([send(), send(captcha, 'off-topic')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await send({ ...captcha, captchaAnswer: '' })).body.error).toBe('Please solve the captcha')
    expect((await findEntry(`${path}#p${path.split('/').at(-1)}`)).count).toBe(1)
  })

  test('counts against the limit of the network', async () => {
    const limited = await startSite({ RATE_LIMIT: 'on', RATE_REPORT: '1/10m' })
    const send = async () =>
      callApi(limited, 'POST', REPORTS, {
        json: { url: '/paste/AAAAAAAAAAAAAAAAAAAAAA', reason: 'spam', ...(await solveChallenge(limited)) },
      })
    expect([(await send()).status, (await send()).status]).toEqual([404, 429])
    await limited.close()
  })
})

describe('the queue', () => {
  beforeEach(() => site.app.services.db.delete(report))

  test('shows moderators the posts of their boards, and others nothing', async () => {
    const { path, id } = await createThread()
    const paste = await createPaste('for admins only')
    await sendReport({ url: path })
    await sendReport({ url: paste })
    const own = await readQueue(moderator)
    expect([own.items.length, own.counts.report]).toEqual([1, 1])
    expect(await findEntry(`${path}#p${id}`, moderator)).toBeDefined()
    const { reportId } = await findEntry(paste)
    for (const action of ['dismiss', 'delete', 'take-down']) {
      expect((await resolve(reportId, action, moderator)).status).toBe(403)
    }
    const member = await site.createToken('member@example.org')
    expect((await callApi(site, 'GET', QUEUE, { token: member })).status).toBe(403)
    expect((await callApi(site, 'GET', QUEUE)).status).toBe(401)
    expect((await resolve(reportId, 'dismiss', member)).status).toBe(403)
    const other = await site.createToken('elsewhere@example.org')
    await createBoard(site, 'Elsewhere', other)
    expect((await readQueue(other)).items).toEqual([])
    const ofPost = await findEntry(`${path}#p${id}`)
    for (const action of ['dismiss', 'delete', 'take-down'])
      expect((await resolve(ofPost.reportId, action, other)).status).toBe(403)
  })

  test('has a report of a thread that moves meanwhile for the moderators of its new board', async () => {
    const { path, id } = await createThread()
    const other = await site.createToken('next@example.org')
    const toBoard = await createBoard(site, 'Next', other)
    const { db } = site.app.services
    const json = { boardId, postId: id, action: 'move', toBoard }
    const transaction = vi.spyOn(db, 'transaction').mockImplementationOnce(async (...args) => {
      await callApi(site, 'POST', '/api/moderation/act', { json, token: admin })
      return db.transaction(...args)
    })
    expect((await sendReport({ url: path }).finally(() => transaction.mockRestore())).status).toBe(200)
    const [moved] = (await readQueue(other)).items
    expect(moved.report).toMatchObject({ boardId: toBoard, path: `/dtpchan/board/${toBoard}/thread/${id}#p${id}` })
    expect((await readQueue(moderator)).items).toEqual([])
    // As if the report had kept the old board.
    await db.update(report).set({ boardId })
    for (const action of ['delete', 'take-down'])
      expect((await resolve(moved.report.reportId, action, moderator)).status).toBe(403)
  })

  test('counts several reports of an item as one entry, and closes them together', async () => {
    const paste = await createPaste('reported twice')
    await sendReport({ url: paste, reason: 'illegal' })
    await sendReport({ url: paste, reason: 'personal' })
    const entry = await findEntry(paste)
    expect([entry.count, entry.reports.map((one: { reason: string }) => one.reason)]).toEqual([
      2,
      ['illegal', 'personal'],
    ])
    const both = await Promise.all([resolve(entry.reportId, 'dismiss'), resolve(entry.reportId, 'dismiss')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await findEntry(paste)).toBeUndefined()
    expect((await callApi(site, 'GET', `${paste}/raw`)).body).toBe('reported twice')
  })

  test('opens a paste only with its sealed URL, which is deleted when the report is closed', async () => {
    const paste = await createPaste('read me once', { burnAfterReading: true })
    await sendReport({ url: paste })
    const entry = await findEntry(paste)
    expect(entry.content).toMatchObject({ text: 'read me once', flags: { burnAfterReading: true } })
    const { db } = site.app.services
    const readRow = async () => (await db.select().from(report).where(eq(report.id, entry.reportId)))[0]
    const stored = Buffer.from((await readRow())?.sealedUrl ?? []).toString('latin1')
    expect(stored).not.toContain(paste.slice(7))
    expect((await resolve(entry.reportId, 'dismiss')).status).toBe(200)
    expect(await readRow()).toMatchObject({ sealedUrl: null, outcome: 'dismissed' })
    expect((await callApi(site, 'POST', `/api${paste}/read`, { json: {} })).body.paste.content).toBe('read me once')
  })

  test('deletes each kind of item', async () => {
    const thread = await createThread()
    const comment = (await postComment(site, { boardId, threadId: thread.id })).body.comment.id
    const at = { boardId, threadId: thread.id, commentId: comment }
    const reply = (await postComment(site, at)).body.reply.id
    const paste = await createPaste('delete me')
    const share = await createImageShare()
    const program = await createProgram('Delete me')
    const items = [`${thread.path}#p${reply}`, `${thread.path}#p${comment}`, `${thread.path}#p${thread.id}`]
    for (const url of [...items, paste, share.path, program]) {
      await sendReport({ url })
      const { reportId } = await findEntry(url)
      expect((await resolve(reportId, 'delete')).status).toBe(200)
      expect(await findEntry(url)).toBeUndefined()
    }
    for (const url of [`${paste}/raw`, share.file]) expect((await callApi(site, 'GET', url)).status).toBe(404)
  })

  test('logs a deletion once if several moderators delete at the same time', async () => {
    const url = await createPaste('delete me once')
    await sendReport({ url })
    const { reportId } = await findEntry(url)
    const readLog = async () => (await callApi(site, 'GET', '/api/moderation/log')).body.entries
    const { length } = await readLog()
    await Promise.all([1, 2, 3, 4].map(() => resolve(reportId, 'delete')))
    expect((await readLog()).length).toBe(length + 1)
  })
})
