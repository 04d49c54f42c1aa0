import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const ask = async (url: string, headers: Record<string, string>, payload?: object) =>
  (await site.app.inject({ method: payload ? 'POST' : 'GET', url, headers, payload })).json()

const german = { 'x-language': 'de', 'accept-language': 'de' }

test('a page gets refusals in its language, with the key of the text and the invalid field', async () => {
  expect(await ask('/api/paste', german, { content: '', expiryHours: 1 })).toEqual({
    success: false,
    error: 'Bitte gib einen Inhalt für das Paste ein',
    ...{ code: 'paste.contentRequired', field: 'content' },
  })
  const { error } = await ask('/trpc/board.list', { ...german, 'content-type': 'text/plain' }, {})
  expect(error.json.message).toBe('Die Anfrage muss JSON sein')
  const login = await ask('/trpc/auth.login', { ...german, 'content-type': 'application/json' }, { json: {} })
  expect(login.error.json).toMatchObject({
    message: 'E-Mail und Passwort fehlen',
    data: { refusal: 'auth.required', field: 'email' },
  })
})

test.each<Record<string, string>>([{}, { 'accept-language': 'de' }, { 'x-language': '' }, { 'x-language': 'xx' }])(
  'a client with the headers %j gets them in English',
  async (headers) => {
    const answer = await ask('/api/paste', headers, { content: '', expiryHours: 1 })
    expect(answer).toMatchObject({ success: false, error: 'Please enter some content to paste' })
    expect('code' in answer).toBe('x-language' in headers)
  },
)
