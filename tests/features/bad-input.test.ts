import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  solveChallenge,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { FORM_TYPE, fieldPart, formBody } from '#tests/helpers/multipart.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { expectRefused } from '#tests/helpers/storageSnapshot.ts'

const LOGIN = '/api/dtpchan/admin/login'
const THREADS = `${BOARDS}/tech/threads`
const UNREADABLE = 'The request could not be read'
const TOO_LARGE = 'The request is too large'
const NO_THREAD = 'Title and content are required'
const NO_CONTENT = 'Content is required'
const NO_AUTHOR = 'Username is required (minimum 2 characters)'
const NO_CAPTCHA = 'Please solve the captcha'
const WRONG_CAPTCHA = 'Wrong or expired answer. Your text is safe; solve the new one.'
const NO_LINKS = 'Links must be http or https addresses'
const NO_IMAGE = 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'
const INVISIBLE = '\u200b\u2060 \u3164\u2800'
const TRIED = { title: 'A title', content: 'Some text', author: 'gl1tch', captchaAnswer: '1', challengeId: 'x' }

let site: TestSite
let admin: string
let member: string
let comments: string
let replies: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  member = await site.createToken('member@example.org')
  await createBoard(site, 'Tech', admin)
  const threadId = (await postThread(site, 'tech')).body.thread.id
  const commentId = (await postComment(site, { boardId: 'tech', threadId })).body.comment.id
  comments = `${THREADS}/${threadId}/comments`
  replies = `${comments}/${commentId}/replies`
})
afterAll(() => site.close())

const refused = (run: Parameters<typeof expectRefused>[1], status: number, error: string) =>
  expectRefused(site, run, status, error)
const postJson = (url: string, json: unknown, token?: string) => callApi(site, 'POST', url, { json, token })
const postRaw = (url: string, raw: string | Buffer, type?: string, token?: string) =>
  callApi(site, 'POST', url, { raw, type, token })

describe('bodies', () => {
  test.each([
    ['an open brace', '{'],
    ['a missing value', '{"title":}'],
    ['a trailing comma', '{"title":"x",}'],
    ['single quotes', "{'title':'x'}"],
    ['two documents', '{}{}'],
    ['a NUL', '\0'],
    ['NaN', '{"title":NaN}'],
    ['form syntax', 'title=x'],
    ['invalid UTF-8', Buffer.from('7b2278223a22ff227d', 'hex')],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['a nested __proto__', '{"title":{"__proto__":1}}'],
    ['an escaped __proto__', '{"\\u005f_proto__":1}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'],
  ])('refuses %s as JSON', async (_name, raw) => {
    for (const url of [BOARDS, THREADS, comments, replies, LOGIN]) {
      await refused(() => postRaw(url, raw, 'application/json', admin), 400, UNREADABLE)
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  test.each(['', ' \n', '{}', '[]', '[{"title":"x"}]', '"x"', '5', 'null', 'true', '[[[[[[]]]]]]'])(
    'reports missing fields for the JSON body %j',
    async (raw) => {
      await refused(() => postRaw(BOARDS, raw, undefined, admin), 400, 'Name and description are required')
      await refused(() => postRaw(THREADS, raw), 400, NO_THREAD)
      await refused(() => postRaw(comments, raw), 400, NO_CONTENT)
      await refused(() => postRaw(replies, raw), 400, NO_CONTENT)
      await refused(() => postRaw(LOGIN, raw), 400, 'Email and password are required')
    },
  )

  test.each([
    'text/xml',
    'application/xml',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'garbage',
  ])('refuses a body of type %s', async (type) => {
    for (const url of [BOARDS, THREADS, comments, replies, LOGIN]) {
      await refused(
        () => postRaw(url, '<title>x</title>', type, admin),
        415,
        'The request must be JSON or a multipart form',
      )
    }
  })

  test('refuses unclosed and deeply nested brackets', async () => {
    await refused(() => postRaw(THREADS, '['.repeat(900_000)), 400, UNREADABLE)
    await refused(() => postRaw(THREADS, `${'['.repeat(90_000)}${']'.repeat(90_000)}`), 400, NO_THREAD)
    await refused(() => postRaw(THREADS, `{"title":${'{"a":'.repeat(90_000)}1${'}'.repeat(90_001)}`), 400, NO_THREAD)
  })

  test('rejects ten megabytes, as JSON and as a field', async () => {
    const content = 'x'.repeat(10 * 1024 * 1024)
    await refused(() => postJson(THREADS, { ...TRIED, content }), 413, TOO_LARGE)
    await refused(() => postJson(LOGIN, { email: content, password: content }), 413, TOO_LARGE)
    const form = toFormData({ ...TRIED, content, ...(await solveChallenge(site)) })
    await refused(() => callApi(site, 'POST', THREADS, { form }), 413, TOO_LARGE)
  })
})

describe('fields', () => {
  const WRONG = [5, 0, true, null, [], ['A text'], {}, { length: 5 }]
  test.each([
    ['title', NO_THREAD, [...WRONG, INVISIBLE]],
    ['content', NO_THREAD, [...WRONG, INVISIBLE]],
    ['author', NO_AUTHOR, [...WRONG, INVISIBLE]],
    ['captchaAnswer', NO_CAPTCHA, [true, null, [], {}, undefined, '', '  ']],
    ['challengeId', NO_CAPTCHA, [...WRONG, undefined, '']],
    ['challengeId', WRONG_CAPTCHA, ['x', 'x'.repeat(513), '\0', '\ud800', '%00', 'é']],
    ['links', NO_LINKS, WRONG],
    ['image', NO_IMAGE, [...WRONG, 'A text', { filename: 'a.png', type: 'image/png', bytes: [137, 80, 78, 71] }]],
  ])('refuses a thread with an invalid %s: %s', async (field, error, values) => {
    for (const value of values) await refused(() => postJson(THREADS, { ...TRIED, [field]: value }), 400, error)
  })

  test.each([
    ['content', NO_CONTENT],
    ['author', NO_AUTHOR],
    ['links', NO_LINKS],
  ])('refuses a comment and a reply with an invalid %s: %s', async (field, error) => {
    for (const url of [comments, replies]) {
      for (const value of WRONG) await refused(() => postJson(url, { ...TRIED, [field]: value }), 400, error)
    }
  })

  test.each([
    ['name', 'Name and description are required'],
    ['description', 'Name and description are required'],
  ])('refuses a board with an invalid %s: %s', async (field, error) => {
    for (const value of [...WRONG, undefined, '', ' \n\t ', '\u00a0\ufeff', INVISIBLE]) {
      const json = { name: 'A', description: 'B', [field]: value }
      await refused(() => postJson(BOARDS, json, admin), 400, error)
    }
  })

  test.each([
    ['title', 200, 1, 'Title must be at most 200 characters', NO_THREAD],
    ['content', 20_000, 1, 'Content must be at most 20000 characters', NO_THREAD],
    ['author', 64, 2, 'Username must be at most 64 characters', NO_AUTHOR],
  ])('accepts a %s of at most %i and at least %i characters', async (field, longest, shortest, tooLong, tooShort) => {
    for (const [length, letter] of [
      [longest, 'x'],
      [shortest, 'x'],
      [longest, '😀'],
    ] as const) {
      const value = letter.repeat(length)
      // Spaces before the first line of a content stay.
      const { status, body } = await postThread(site, 'tech', {
        [field]: `${field === 'content' ? '\n' : ' '}${value}\n`,
      })
      expect(status).toBe(200)
      expect(body.thread[field]).toBe(value)
    }
    const form = async (value: string) => toFormData({ ...TRIED, ...(await solveChallenge(site)), [field]: value })
    for (const [value, error] of [
      ['x'.repeat(longest + 1), tooLong],
      ['😀'.repeat(longest + 1), tooLong],
      ['x'.repeat(shortest - 1), tooShort],
      [` ${'x'.repeat(shortest - 1)}\r\n\u00a0\u3000`, tooShort],
    ] as const) {
      await refused(() => postJson(THREADS, { ...TRIED, [field]: value }), 400, error)
      const body = await form(value)
      await refused(() => callApi(site, 'POST', THREADS, { form: body }), 400, error)
    }
  })

  test.each([
    ['name', 64, 'Board name must be at most 64 characters'],
    ['description', 500, 'Description must be at most 500 characters'],
  ])('accepts a board %s of at most %i characters', async (field, longest, tooLong) => {
    const json = { name: 'Limits', description: 'of a board', [field]: 'y'.repeat(longest) }
    expect((await postJson(BOARDS, json, admin)).body.board[field]).toBe('y'.repeat(longest))
    await refused(() => postJson(BOARDS, { ...json, [field]: 'y'.repeat(longest + 1) }, admin), 400, tooLong)
  })

  test('drops unknown fields', async () => {
    const unknown = { id: '1', boardId: 'other', threadId: '7', deletedAt: 'now', imageId: 'x', comments: '[]' }
    const { status, body } = await postThread(site, 'tech', unknown)
    expect(status).toBe(200)
    expect(body.thread).toMatchObject({ boardId: 'tech', comments: [], image: null })
    const json = { ...TRIED, ...(await solveChallenge(site)), role: 'admin', prototype: 1, boardId: 'other' }
    expect((await postJson(`${THREADS}?boardId=other&title=query`, json)).body.thread.title).toBe('A title')
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'refuses a form field named %s',
    async (name) => {
      const captcha = await solveChallenge(site)
      const fields = Object.entries({ ...TRIED, ...captcha }).map(([key, value]) => fieldPart(key, value))
      await refused(() => postRaw(THREADS, formBody(...fields, fieldPart(name, 'x')), FORM_TYPE), 400, UNREADABLE)
      await refused(() => postRaw(THREADS, formBody(fieldPart(name, 'x'), ...fields), FORM_TYPE), 400, UNREADABLE)
      expect((await postRaw(THREADS, formBody(...fields), FORM_TYPE)).status).toBe(200)
    },
  )
})

describe('the order of refusals', () => {
  const notImage = () => new File(['no picture'], 'a.png', { type: 'image/png' })

  test('checks a post by form fields in order, captcha, board, image', async () => {
    const wrong = { challengeId: 'x', captchaAnswer: '1' }
    const steps: [Record<string, string | Blob | undefined>, string, number, string][] = [
      [{}, 'nowhere', 400, NO_THREAD],
      [{ title: 'x' }, 'nowhere', 400, NO_THREAD],
      [{ content: 'x' }, 'nowhere', 400, NO_AUTHOR],
      [{ author: 'xy' }, 'nowhere', 400, NO_CAPTCHA],
      [{ captchaAnswer: '1' }, 'nowhere', 400, NO_CAPTCHA],
      [{ ...wrong, links: 'x' }, 'nowhere', 400, NO_LINKS],
      [{ ...wrong, links: '' }, 'nowhere', 400, WRONG_CAPTCHA],
      [{ ...(await solveChallenge(site)) }, 'nowhere', 404, 'Board not found'],
      [{ ...(await solveChallenge(site)) }, 'tech', 415, NO_IMAGE],
      [{ ...(await solveChallenge(site)), image: undefined }, 'tech', 200, ''],
    ]
    const fields: Record<string, string | Blob | undefined> = { links: 'x', image: notImage() }
    for (const [more, boardId, status, error] of steps) {
      Object.assign(fields, more)
      const answer = await callApi(site, 'POST', `${BOARDS}/${boardId}/threads`, { form: toFormData(fields) })
      expect([answer.status, answer.body.error ?? '']).toEqual([status, error])
    }
  })

  test('checks a comment and a reply by board, thread, comment, capacity, image', async () => {
    const [, threadId] = /threads\/(\d+)/.exec(comments) ?? []
    const [, commentId] = /comments\/(\d+)/.exec(replies) ?? []
    for (const [path, status, error] of [
      [`nowhere/threads/${threadId}/comments`, 404, 'Board not found'],
      ['tech/threads/999999/comments', 404, 'Thread not found'],
      [`tech/threads/${threadId}/comments/999999/replies`, 404, 'Comment not found'],
      [`tech/threads/${threadId}/comments`, 415, NO_IMAGE],
      [`tech/threads/${threadId}/comments/${commentId}/replies`, 415, NO_IMAGE],
    ] as const) {
      const form = toFormData({ content: 'x', author: 'xy', image: notImage(), ...(await solveChallenge(site)) })
      await refused(() => callApi(site, 'POST', `${BOARDS}/${path}`, { form }), status, error)
    }
  })

  test('checks a moderator’s call by login, form or location, permission', async () => {
    const required = 'You must be logged in to create a board'
    await refused(() => postJson(BOARDS, {}), 401, required)
    await refused(() => postJson(BOARDS, {}, member), 400, 'Name and description are required')
    for (const [path, unknown] of [
      ['nowhere', 'Board not found'],
      ['nowhere/threads/1', 'Board not found'],
      ['tech/threads/999999', 'Thread not found'],
      [`${comments.slice(BOARDS.length + 1)}/999999`, 'Comment not found'],
      [`${replies.slice(BOARDS.length + 1)}/999999`, 'Reply not found'],
    ]) {
      const remove = (token?: string) => callApi(site, 'DELETE', `${BOARDS}/${path}`, { token })
      await refused(() => remove(), 401, 'You must be logged in')
      await refused(() => remove(member), 404, unknown as string)
      await refused(() => remove(admin), 404, unknown as string)
    }
    for (const url of [`${BOARDS}/tech`, comments.replace(/\/comments$/, ''), replies.replace(/\/replies$/, '')]) {
      await refused(() => callApi(site, 'DELETE', url), 401, 'You must be logged in')
      await refused(() => callApi(site, 'DELETE', url, { token: member }), 403, 'You are not allowed to do this')
    }
  })
})
