import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attempt, imageShare, paste, post, report } from '#db/schema/index.ts'
import { identifyAttempt } from '#server/core/auth/attempts.ts'
import { deleteExpiredChallenges } from '#server/core/auth/captcha.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, type Fields, solveChallenge, toFormData } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const REFUSED = { success: false, error: t('board.captchaRefused') }
const TAKEN_DOWN = { success: false, error: t('moderation.reportTakenDown') }
const THREADS = `${BOARDS}/again/threads`

let site: TestSite
let admin: string
let threadId: number
let commentId: number
let image: File
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT: 'off' })
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Again', admin)
  const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold', reason: 'x' }
  expect((await callApi(site, 'POST', '/api/moderation/filters', { json: filter, token: admin })).status).toBe(200)
  threadId = (await send(THREADS, await form({ title: 'A thread' }))).body.thread.id
  commentId = (await send(`${THREADS}/${threadId}/comments`, await form())).body.comment.id
  image = new File([new Uint8Array(await stillImage().png().toBuffer())], 'a.png', { type: 'image/png' })
})
afterAll(() => site.close())

const form = async (fields: Fields = {}) => ({
  content: `Some text ${randomUUID()}`,
  author: 'gl1tch#secret',
  ...(await solveChallenge(site)),
  ...fields,
})
const send = (url: string, fields: Fields) => callApi(site, 'POST', url, { form: toFormData(fields) })
const count = (table: typeof post | typeof report | typeof paste | typeof imageShare) =>
  site.app.services.db.$count(table)

const takeDown = async (url: string) =>
  expect((await callApi(site, 'POST', '/api/moderation/takedowns', { json: { url }, token: admin })).status).toBe(200)

/** Sends the same request twice, one after the other or at the same time, and returns both answers. */
async function twice(call: () => ReturnType<typeof callApi>, atOnce: boolean) {
  if (atOnce) return Promise.all([call(), call()])
  return [await call(), await call()]
}

const places: [string, () => string, Fields][] = [
  ['thread', () => THREADS, { title: 'A title' }],
  ['comment', () => `${THREADS}/${threadId}/comments`, {}],
  ['reply', () => `${THREADS}/${threadId}/comments/${commentId}/replies`, {}],
]
const kinds = ['with a text', 'with an image', 'that waits for a review']
const cases = places.flatMap(([kind, url, fields]) =>
  kinds.flatMap((sort) => [false, true].map((atOnce) => ({ kind, url, fields, sort, atOnce }))),
)

describe('a post', () => {
  test.each(cases)('$kind $sort, sent again (at once: $atOnce), gets the first answer', async (given) => {
    const { kind, url, fields, sort, atOnce } = given
    const sent = await form({
      ...fields,
      ...(sort === kinds[1] && { image: [image, image] }),
      ...(sort === kinds[2] && { content: 'doubtful', image }),
    })
    const before = await count(post)
    const [first, second] = await twice(() => send(url(), sent), atOnce)
    expect(first?.status).toBe(200)
    expect(first?.body).toMatchObject({ [kind]: { id: expect.any(Number) }, deleteToken: expect.any(String) })
    expect(second?.body).toEqual(first?.body)
    expect(await count(post)).toBe(before + 1)
    if (sort === kinds[2]) expect(second?.body.held).toBe(true)
    const { id } = second?.body[kind] ?? {}
    const removal = await callApi(site, 'DELETE', `${url()}/${id}`, { json: { deleteToken: second?.body.deleteToken } })
    expect(removal.status).toBe(200)
  })

  test('that quotes others keeps its quotes in the answer', async () => {
    const sent = await form({ content: `>>${threadId} yes` })
    const [first, second] = await twice(() => send(`${THREADS}/${threadId}/comments`, sent), false)
    expect(first?.body.comment.quotes).toEqual([{ id: threadId, threadId, boardId: 'again' }])
    expect(second?.body).toEqual(first?.body)
  })

  test.each<[string, Fields]>([
    ['another text', { content: 'Another' }],
    ['another name', { author: 'f3rrite' }],
    ['another secret', { author: 'gl1tch#other' }],
    ['other links', { links: '["https://example.org/"]' }],
  ])('with %s and the same captcha is refused', async (_name, changed) => {
    const sent = await form()
    expect((await send(`${THREADS}/${threadId}/comments`, sent)).status).toBe(200)
    const { status, body } = await send(`${THREADS}/${threadId}/comments`, { ...sent, ...changed })
    expect([status, body]).toEqual([400, REFUSED])
  })

  test('sent to another place with the same captcha is refused', async () => {
    const sent = await form()
    expect((await send(`${THREADS}/${threadId}/comments`, sent)).status).toBe(200)
    expect((await send(`${THREADS}/${threadId}/comments/${commentId}/replies`, sent)).body).toEqual(REFUSED)
  })

  test('gets no answer of another network', async () => {
    const json = await form()
    const url = `${THREADS}/${threadId}/comments`
    expect((await callApi(site, 'POST', url, { json })).status).toBe(200)
    const stolen = await site.app.inject({ method: 'POST', url, payload: json, remoteAddress: '203.0.113.9' })
    expect(stolen.json()).toEqual(REFUSED)
  })

  test('that was refused is refused again, and leaves no attempt', async () => {
    const broken = await form({ title: 'x', image: new File(['no image'], 'a.png', { type: 'image/png' }) })
    const before = await site.app.services.db.$count(attempt)
    expect((await send(THREADS, broken)).status).toBe(415)
    expect((await send(THREADS, broken)).body).toEqual(REFUSED)
    expect(await site.app.services.db.$count(attempt)).toBe(before)
  })

  test('is not hashed without a captcha of this site', () => {
    const { secrets } = site.app.services
    const readForm = vi.fn()
    expect(identifyAttempt({ secrets, address: '127.0.0.1', now: () => new Date() }, 'made up', readForm)).toBeNull()
    expect(readForm).not.toHaveBeenCalled()
  })

  test('is forgotten with its captcha', async () => {
    const { db } = site.app.services
    const start = Date.now()
    const sent = await form()
    expect((await send(`${THREADS}/${threadId}/comments`, sent)).status).toBe(200)
    site.setNow(new Date(start + 31 * 60_000))
    expect((await send(`${THREADS}/${threadId}/comments`, sent)).body).toEqual(REFUSED)
    site.setNow(null)
    await deleteExpiredChallenges(db, new Date(start + 31 * 60_000))
    expect(await db.$count(attempt)).toBe(0)
  })
})

describe('a report', () => {
  test.each([false, true])('sent again (at once: %s) is one report', async (atOnce) => {
    const url = `${site.app.services.config.siteUrl}/dtpchan/board/again/thread/${threadId}`
    const json = { url, reason: 'spam', text: randomUUID(), ...(await solveChallenge(site)) }
    const before = await count(report)
    const answers = await twice(() => callApi(site, 'POST', '/api/moderation/reports', { json }), atOnce)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await count(report)).toBe(before + 1)
    const other = await callApi(site, 'POST', '/api/moderation/reports', { json: { ...json, text: 'other' } })
    expect(other.body).toEqual(REFUSED)
  })
})

describe('a paste', () => {
  const create = (json: object) => callApi(site, 'POST', '/api/paste', { json })

  test.each([false, true])(
    'with an idempotency key, sent again (at once: %s), gets the first answer',
    async (atOnce) => {
      const json = { content: 'text', expiryHours: 1, idempotencyKey: randomUUID() }
      const before = await count(paste)
      const [first, second] = await twice(() => create(json), atOnce)
      expect(first?.status).toBe(200)
      expect(second?.body).toEqual(first?.body)
      expect(await count(paste)).toBe(before + 1)
      const { pathname, searchParams } = new URL(second?.body.deleteUrl)
      const token = searchParams.get('token')
      expect((await callApi(site, 'POST', `/api${pathname}`, { json: { token } })).status).toBe(200)
    },
  )

  test('takes the key as a header, with and without quotes, and as a part of a form', async () => {
    const key = randomUUID()
    const { body } = await send('/api/paste', { content: 'headed', idempotencyKey: key })
    for (const header of [key, `"${key}"`]) {
      const headers = { 'idempotency-key': header, 'content-type': 'text/plain' }
      const raw = await site.app.inject({ method: 'POST', url: '/api/paste', payload: 'headed', headers })
      expect(raw.body).toBe(`${body.url}\n`)
      expect(raw.headers['x-delete-url']).toBe(body.deleteUrl)
    }
  })

  test('that was taken down is not stored again', async () => {
    const json = { content: 'text', idempotencyKey: randomUUID() }
    await takeDown((await create(json)).body.url)
    const before = await count(paste)
    const { status, body } = await create(json)
    expect([status, body, await count(paste)]).toEqual([410, TAKEN_DOWN, before])
  })

  test('that its author deleted is stored again', async () => {
    const json = { content: 'text', idempotencyKey: randomUUID() }
    const { body } = await create(json)
    const { pathname, searchParams } = new URL(body.deleteUrl)
    const deletion = { json: { token: searchParams.get('token') } }
    expect((await callApi(site, 'POST', `/api${pathname}`, deletion)).status).toBe(200)
    const again = await create(json)
    expect([again.status, again.body.url]).toEqual([200, body.url])
  })

  test('gets the first answer although a filter refuses its text now', async () => {
    const json = { content: 'soon forbidden', idempotencyKey: randomUUID() }
    const first = await create(json)
    const filter = { kind: 'literal', value: 'soon forbidden', fields: ['paste'], effect: 'refuse', reason: 'x' }
    expect((await callApi(site, 'POST', '/api/moderation/filters', { json: filter, token: admin })).status).toBe(200)
    expect((await create({ ...json, idempotencyKey: randomUUID() })).status).toBe(403)
    expect((await create(json)).body).toEqual(first.body)
  })

  test.each<[string, object]>([
    ['another text', { content: 'other' }],
    ['another expiry', { expiryHours: 24 }],
    ['another language', { language: 'rust' }],
    ['another key', { idempotencyKey: randomUUID() }],
    ['no key', { idempotencyKey: undefined }],
  ])('with %s is another paste', async (_name, changed) => {
    const json = { content: 'text', expiryHours: 1, idempotencyKey: randomUUID() }
    const first = await create(json)
    const second = await create({ ...json, ...changed })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.url).not.toBe(first.body.url)
    expect(second.body.deleteUrl).not.toContain(new URL(first.body.deleteUrl).searchParams.get('token'))
  })

  test.each(['short', 'x'.repeat(101), 'sixteen characters with blanks', '"sixteen-and-more', 5])(
    'is refused with the key %j',
    async (idempotencyKey) => {
      const { status, body } = await create({ content: 'text', idempotencyKey })
      expect([status, body.error]).toEqual([
        400,
        'idempotencyKey must have 16 to 100 letters, digits, hyphens or underscores',
      ])
    },
  )
})

describe('a shared image', () => {
  test.each([false, true])(
    'with an idempotency key, sent again (at once: %s), gets the first answer',
    async (atOnce) => {
      const sent = { image, expiryHours: '1', idempotencyKey: randomUUID() }
      const [shares, files] = [await count(imageShare), (await listStoredFiles(site)).length]
      const [first, second] = await twice(() => send('/api/image-share', sent), atOnce)
      expect(first?.status).toBe(200)
      expect(second?.body).toEqual(first?.body)
      expect(await count(imageShare)).toBe(shares + 1)
      const once = (await listStoredFiles(site)).length - files
      const other = await send('/api/image-share', { ...sent, idempotencyKey: randomUUID() })
      expect(other.body.url).not.toBe(first?.body.url)
      expect((await listStoredFiles(site)).length).toBe(files + 2 * once)
      const { pathname, searchParams } = new URL(second?.body.deleteUrl)
      const token = searchParams.get('token')
      expect((await callApi(site, 'POST', `/api${pathname}`, { json: { token } })).status).toBe(200)
    },
  )

  test('that was taken down is not stored again; the answer of another one with that image is repeated', async () => {
    const bytes = await openRaw(await createVariedImage(1))
      .png()
      .toBuffer()
    const same = new File([new Uint8Array(bytes)], 'b.png', { type: 'image/png' })
    const share = (idempotencyKey: string) =>
      send('/api/image-share', { image: same, expiryHours: '1', idempotencyKey })
    const keys = [randomUUID(), randomUUID()] as const
    const [kept, removed] = [await share(keys[0]), await share(keys[1])]
    await takeDown(removed.body.url)
    const before = await listStoredFiles(site)
    const again = await share(keys[1])
    expect([again.status, again.body]).toEqual([410, TAKEN_DOWN])
    expect((await share(randomUUID())).status).toBe(403)
    expect((await share(keys[0])).body).toEqual(kept.body)
    expect(await listStoredFiles(site)).toEqual(before)
  })
})
