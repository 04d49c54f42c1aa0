import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LimitKind } from '#server/core/config/config.ts'
import { createUser } from '#server/features/auth/service.ts'
import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import {
  advanceToLaterDay,
  CLIENT_IP,
  consumeAllowance,
  createPasteFrom,
  type LimitedResponse,
  OTHER_CLIENT_IP,
  PASTE_INPUT,
  postFrom,
  type RateLimitedSite,
  rates,
  startRateLimitedSite,
  tooManyRequests,
} from '#tests/helpers/rateLimitedSite.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'

const PASSWORD = 'correct horse battery'

let site: RateLimitedSite
let threads: string
let comments: string
let picture: Buffer
beforeAll(async () => {
  site = await startRateLimitedSite()
  picture = await stillImage(40, 30).png().toBuffer()
  await createUser(site.app.services.db, { email: 'member@example.org', role: 'member', password: PASSWORD })
  const headers = { authorization: `Bearer ${(await login('member@example.org', PASSWORD)).body.token}` }
  await send('/api/dtpchan/boards', { name: 'Here', description: 'y' }, OTHER_CLIENT_IP, headers)
  threads = '/api/dtpchan/boards/here/threads'
  comments = `${threads}/${(await openThread(OTHER_CLIENT_IP)).body.thread.id}/comments`
})
afterAll(() => site.close())
beforeEach(() => advanceToLaterDay(site))

const send = (url: string, payload: object, from = CLIENT_IP, headers = {}) =>
  postFrom(site.app, from, url, payload, headers)
const login = (email: string, password: string, from?: string) =>
  send('/api/dtpchan/admin/login', { email, password }, from)
const askCaptcha = (from?: string) => send('/api/dtpchan/captcha', {}, from)

let serial = 0
/** Solves a captcha. Each request comes from another address of the network, to stay below the captcha limit. */
async function solved(from = CLIENT_IP) {
  const { challengeId, question } = (await askCaptcha(from.replace(/\d+$/, String(20 + (serial++ % 230))))).body
  return { challengeId, captchaAnswer: String(solveQuestion(question)) }
}
const image = () => new File([new Uint8Array(picture)], 'p.png', { type: 'image/png' })
const comment = async (from?: string, more: object = {}) =>
  send(comments, { content: 'A comment', author: 'gl1tch', ...(await solved(from)), ...more }, from)
const openThread = async (from?: string) =>
  send(threads, { title: 'A title', content: 'Text', author: 'gl1tch', ...(await solved(from)) }, from)

type Act = (from?: string) => Promise<LimitedResponse>

describe.each<[LimitKind, Act, string, number]>([
  ['post', comment, 'Too many posts from your network. Please try again in 10 s.', 10],
  ['thread', openThread, 'Too many new threads from your network. Please try again in 2 min.', 120],
  [
    'upload',
    (from) => send('/api/image-share', toFormData({ image: image(), expiryHours: '24' }), from),
    'Too many uploads from your network. Please try again in 30 s.',
    30,
  ],
  [
    'paste',
    (from = CLIENT_IP) => createPasteFrom(site.app, from),
    'Too many pastes from your network. Please try again in 10 s.',
    10,
  ],
  ['captcha', askCaptcha, 'Too many captchas from your network. Please try again in 1 s.', 1],
])('a network’s %s', (kind, act, error, seconds) => {
  test('is refused after a burst, until Retry-After has passed', async () => {
    for (let taken = 0; taken < rates[kind].burst; taken++) expect((await act()).status).toBe(200)
    expect(await act()).toEqual(tooManyRequests(error, seconds))
    expect((await act(OTHER_CLIENT_IP)).status).toBe(200)
    site.now += seconds * 1000 - 1
    expect((await act()).retryAfter).toBe('1')
    site.now += 1
    expect((await act()).status).toBe(200)
    expect((await act()).status).toBe(429)
    // After a long wait, the allowance is one burst, not two.
    site.now += 2 * rates[kind].burst * seconds * 1000
    await consumeAllowance(site.app, CLIENT_IP, kind)
    expect((await act()).status).toBe(429)
  })
})

test('counts a reply as a post', async () => {
  const { id } = (await comment()).body.comment
  const reply = async () => send(`${comments}/${id}/replies`, { content: 'A', author: 'gl1tch', ...(await solved()) })
  await consumeAllowance(site.app, CLIENT_IP, 'post', rates.post.burst - 2)
  expect((await reply()).status).toBe(200)
  expect((await reply()).status).toBe(429)
  expect((await comment()).status).toBe(429)
})

describe('a request refused for another reason', () => {
  test('costs nothing for an invalid form, whose error is shown even without an allowance', async () => {
    const mistakes = async () => {
      expect((await send('/api/paste', { ...PASTE_INPUT, content: ' ' })).status).toBe(400)
      expect((await comment(CLIENT_IP, { author: '' })).body.error).toContain('Username is required')
    }
    await mistakes()
    await consumeAllowance(site.app, CLIENT_IP, 'paste')
    await consumeAllowance(site.app, CLIENT_IP, 'post')
    await mistakes()
    expect((await comment()).status).toBe(429)
  })

  test('keeps the captcha of a rate-limited post and does not decode its image', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'post')
    const fields = { content: 'Again', author: 'gl1tch', ...(await solved()) }
    const broken = new File(['no picture'], 'p.png', { type: 'image/png' })
    expect((await send(comments, toFormData({ ...fields, image: broken }))).status).toBe(429)
    site.now += rates.post.everySeconds * 1000
    expect((await send(comments, toFormData({ ...fields, image: image() }))).status).toBe(200)
  })

  test('takes a captcha for a wrong answer, or a post when no captchas are left', async () => {
    const wrong = { captchaAnswer: '1000' }
    await consumeAllowance(site.app, CLIENT_IP, 'captcha', rates.captcha.burst - 2)
    await consumeAllowance(site.app, CLIENT_IP, 'post', rates.post.burst - 2)
    for (let guess = 0; guess < 2; guess++) expect((await comment(CLIENT_IP, wrong)).status).toBe(400)
    expect((await askCaptcha()).status).toBe(429)
    for (let guess = 0; guess < 2; guess++) expect((await comment(CLIENT_IP, wrong)).status).toBe(400)
    expect((await comment(CLIENT_IP, wrong)).body.error).toMatch(/^Too many posts/)
  })

  test('counts an unknown challenge id as a guess', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'captcha', rates.captcha.burst - 1)
    expect((await comment(CLIENT_IP, { challengeId: 'x'.repeat(60) })).status).toBe(400)
    expect((await askCaptcha()).status).toBe(429)
    expect((await comment()).status).toBe(200)
  })
})

describe('logins', () => {
  const wrong = () => login(`nobody-${serial++}@example.org`, 'wrong')
  const right = (from?: string) => login('member@example.org', PASSWORD, from)

  test('count per network when the password is wrong, for any account; successful logins neither count nor reset the count', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'login', rates.login.burst - 2)
    expect((await wrong()).status).toBe(401)
    for (let time = 0; time < 3; time++) expect((await right()).status).toBe(200)
    expect((await wrong()).status).toBe(401)
    expect(await wrong()).toEqual(tooManyRequests('Too many logins from your network. Please try again in 1 min.', 60))
    expect((await right()).status).toBe(429)
    expect((await right(OTHER_CLIENT_IP)).status).toBe(200)
  })
})
