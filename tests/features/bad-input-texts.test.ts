import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BOARDS,
  callApi,
  createBoard,
  postThread,
  readThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { BOUNDARY, FORM_TYPE, fieldPart, formBody } from '#tests/helpers/multipart.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { expectRefused } from '#tests/helpers/storageSnapshot.ts'

const LOGIN = '/api/dtpchan/admin/login'
const THREADS = `${BOARDS}/tech/threads`
const UNREADABLE = 'The request could not be read'
const NO_THREAD = 'Title and content are required'
const NO_LINKS = 'Links must be http or https addresses'
const UNSTORABLE = 'Text contains characters that cannot be stored'
const TRIED = { title: 'A title', content: 'Some text', author: 'gl1tch', captchaAnswer: '1', challengeId: 'x' }

let site: TestSite
let admin: string
let comments: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Tech', admin)
  const threadId = (await postThread(site, 'tech')).body.thread.id
  comments = `${THREADS}/${threadId}/comments`
})
afterAll(() => site.close())

const refused = (run: Parameters<typeof expectRefused>[1], status: number, error: string) =>
  expectRefused(site, run, status, error)
const postJson = (url: string, json: unknown, token?: string) => callApi(site, 'POST', url, { json, token })
const postRaw = (url: string, raw: string | Buffer, type?: string, token?: string) =>
  callApi(site, 'POST', url, { raw, type, token })

describe('texts', () => {
  test.each([
    ['emoji', '👩🏽‍💻 🏳️‍🌈 🇩🇪 1️⃣'],
    ['right to left', 'שלום \u202eעולם\u202c مرحبا'],
    ['zero-width', 'a\u200bb\u200dc\u2060d\ufeffe'],
    ['combining marks, not composed', 'e\u0301 \u1e9b\u0323 z\u0351\u036b\u0343'],
    ['markup', '<b onclick=alert(1)>x</b> <!-- &amp; &#0; {{7*7}}'],
    ['statements', `'; drop table post; -- " \\ %s %00 $1`],
    ['non-characters and controls', '\u0001\u001b[31m\ufffe\uffff\u{10ffff}\ufffd'],
    ['inner blanks', 'a \t  b\n\n\n   c'],
  ])('stores %s unchanged', async (_name, text) => {
    // Titles and names must not contain control characters (see names.test.ts), and names no marks of tripcodes.
    const name = text.replace(/[\p{Cc}\u202a-\u202e!#]/gu, '')
    const json = { ...TRIED, ...(await solveChallenge(site)), title: name, content: text, author: name }
    const asJson = (await postJson(THREADS, json)).body.thread
    const asForm = (await postThread(site, 'tech', { title: name, content: text, author: name })).body.thread
    for (const { id } of [asJson, asForm]) {
      const { thread } = (await readThread(site, 'tech', id)).body
      expect(thread).toMatchObject({ title: name, author: name })
      expect(thread.content).toBe(text)
    }
  })

  test('stores every kind of line end as one', async () => {
    const { thread } = (await postThread(site, 'tech', { content: 'a\r\nb\rc\nd\r\r\ne' })).body
    expect(thread.content).toBe('a\nb\nc\nd\n\ne')
    // Length limits count the stored text, although a form sends each line break as two characters.
    expect((await postThread(site, 'tech', { content: `${'\r\n'.repeat(19_998)}xx` })).status).toBe(200)
    expect((await postThread(site, 'tech', { content: `x${'\r\n'.repeat(19_998)}x` })).status).toBe(200)
    expect((await postThread(site, 'tech', { content: `x${'\r\n'.repeat(19_999)}x` })).status).toBe(400)
  })

  test.each(['\0', 'a\0b', '\ud800', 'a\udc00b', '\ud800\ud800', '\udc00\ud800'])(
    'refuses text with %j',
    async (text) => {
      for (const field of ['title', 'content', 'author']) {
        await refused(() => postJson(THREADS, { ...TRIED, [field]: `x${text}x` }), 400, UNSTORABLE)
      }
      await refused(() => postJson(comments, { ...TRIED, content: `x${text}x` }), 400, UNSTORABLE)
      for (const field of ['name', 'description']) {
        const json = { name: 'A', description: 'B', [field]: `x${text}x` }
        await refused(() => postJson(BOARDS, json, admin), 400, UNSTORABLE)
      }
      const { status } = await postJson(LOGIN, { email: `x${text}@example.org`, password: `x${text}x` })
      expect([400, 401]).toContain(status)
    },
  )

  test.each([
    ['a stray byte', 'ff', UNREADABLE],
    ['an incomplete sequence', 'f09f98', UNREADABLE],
    ['an invalid continuation byte', 'c328', UNREADABLE],
    ['an overlong NUL', 'c080', UNREADABLE],
    ['a surrogate', 'eda080', UNREADABLE],
    ['latin1', '6de4dc', UNREADABLE],
    ['a NUL', '00', UNSTORABLE],
  ])('refuses %s in a form instead of replacing it', async (_name, hex, error) => {
    const captcha = await solveChallenge(site)
    for (const field of ['title', 'content', 'author']) {
      const texts = { ...TRIED, ...captcha, [field]: Buffer.from(`7878${hex}78`, 'hex') }
      const body = formBody(...Object.entries(texts).map(([name, value]) => fieldPart(name, value)))
      await refused(() => postRaw(THREADS, body, FORM_TYPE), 400, error)
    }
    const named = formBody(fieldPart('title', 'x'), Buffer.from(`--${BOUNDARY}\r\n\xff\r\n\r\nx\r\n`, 'latin1'))
    await refused(() => postRaw(THREADS, named, FORM_TYPE), 400, NO_THREAD)
  })
})

describe('links', () => {
  const web = 'https://example.org/'
  const long = (length: number) => `["${web}${'a'.repeat(length - web.length - 4)}"]`

  test.each([
    ['nothing', '', []],
    ['blanks', ' \r\n\t', []],
    ['an empty array', ' [ ] ', []],
    ['one', `["${web}?a=1&b=<>#c"]`, [`${web}?a=1&b=<>#c`]],
    ['kept as typed', '["HTTP://EXAMPLE.org:80/ä/../b%zz"]', ['HTTP://EXAMPLE.org:80/ä/../b%zz']],
    ['ten', JSON.stringify(Array(10).fill(web)), Array(10).fill(web)],
    ['4,000 characters', long(4000), JSON.parse(long(4000))],
  ])('accepts %s', async (_name, links, expected) => {
    const { status, body } = await postThread(site, 'tech', { links })
    expect(status).toBe(200)
    expect(body.thread.links).toEqual(expected)
  })

  test.each([
    ['eleven', JSON.stringify(Array(11).fill(web)), 'At most 10 links are allowed'],
    ['4,001 characters', long(4001), 'Links must be at most 4000 characters'],
    ['text that is no array', web, NO_LINKS],
    ['another scheme', '["javascript:alert(1)"]', NO_LINKS],
    ['a NUL', '["https://example.org/\\u0000"]', NO_LINKS],
  ])('refuses %s', async (_name, links, error) => {
    const form = toFormData({ ...TRIED, ...(await solveChallenge(site)), links })
    await refused(() => callApi(site, 'POST', THREADS, { form }), 400, error)
    await refused(() => postJson(comments, { ...TRIED, links }), 400, error)
  })
})
