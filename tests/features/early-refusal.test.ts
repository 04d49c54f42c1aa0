import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storedBytes } from '#db/schema/index.ts'
import type { App } from '#server/app.ts'
import type { LimitKind } from '#server/core/config/config.ts'
import {
  advanceToLaterDay,
  consumeAllowance,
  type RateLimitedSite,
  startRateLimitedSite,
} from '#tests/helpers/rateLimitedSite.ts'
import { encodeHead, sendRaw } from '#tests/helpers/rawHttp.ts'

const VISITOR = '127.0.0.1'
const FORM = 'Content-Type: multipart/form-data; boundary=edge'
const FIVE_MIB = 5 * 1024 * 1024
const BEGINNING = Buffer.from('--edge\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n')
const EXPIRY = '--edge\r\nContent-Disposition: form-data; name="expiryHours"\r\n\r\n3\r\n'

let site: RateLimitedSite
let full: App
beforeAll(async () => {
  site = await startRateLimitedSite()
  full = await site.start({ STORED_IMAGES: '1', STORED_PASTES: '1' })
  await site.database.db.update(storedBytes).set({ bytes: 1 })
  for (const app of [site.app, full]) await app.listen({ host: VISITOR, port: 0 })
})
afterAll(() => site.close())
beforeEach(() => advanceToLaterDay(site))

/** Sends a request with an incomplete body. Resolves with the status and text of the response. */
async function begin(path: string, lines: string[], app = site.app) {
  const origin = `http://${VISITOR}:${(app.server.address() as AddressInfo).port}`
  const size = lines === CHUNKED ? `${BEGINNING.length.toString(16)}\r\n` : ''
  const sent = [encodeHead('POST', path, lines), Buffer.from(size), BEGINNING]
  const { responses } = await sendRaw(origin, sent, { untilHead: true })
  return responses.map(({ status, body }) => `${status} ${body}`)
}
const LARGE = [FORM, `Content-Length: ${FIVE_MIB}`]
const CHUNKED = [FORM, 'Transfer-Encoding: chunked']

test.each([
  ['upload', '/api/image-share', LARGE, 'Too many uploads'],
  ['upload', '/api/image-share', CHUNKED, 'Too many uploads'],
  ['paste', '/api/paste', ['Content-Type: text/plain', 'Content-Length: 1000000'], 'Too many pastes'],
  ['thread', '/api/dtpchan/boards/here/threads', LARGE, 'Too many new threads'],
  ['post', '/api/dtpchan/boards/here/threads/1/comments', LARGE, 'Too many posts'],
  ['post', '/api/dtpchan/boards/here/threads/1/comments/2/replies', LARGE, 'Too many posts'],
] as [LimitKind, string, string[], string][])(
  'refuses a large %s at %s before its body arrives when the allowance is used up',
  async (kind, path, lines, text) => {
    await consumeAllowance(site.app, VISITOR, kind)
    const before = site.app.services.bodyBudget.bytes()
    expect(await begin(path, lines)).toEqual([expect.stringMatching(new RegExp(`^429 .*${text}`))])
    expect(site.app.services.bodyBudget.bytes()).toBe(before)
  },
)

test('refuses large bodies before they arrive when the site is full', async () => {
  expect(await begin('/api/image-share', LARGE, full)).toEqual([
    expect.stringMatching(/^503 .*no room for more images/),
  ])
  const text = ['Content-Type: text/plain', 'Content-Length: 1000000']
  expect(await begin('/api/paste', text, full)).toEqual([expect.stringMatching(/^503 .*no room for more pastes/)])
})

test('takes no allowance for requests that are refused early', async () => {
  await consumeAllowance(site.app, VISITOR, 'upload', 19)
  const origin = `http://${VISITOR}:${(site.app.server.address() as AddressInfo).port}`
  for (let time = 0; time < 3; time++) {
    // The server refuses these forms, because an expiry of three hours is not allowed.
    const file = Buffer.from(`\r\n${'x'.repeat(200_000)}\r\n--edge--\r\n`)
    const body = Buffer.concat([Buffer.from(EXPIRY), BEGINNING, file])
    const head = encodeHead('POST', '/api/image-share', [FORM, `Content-Length: ${body.length}`, 'Connection: close'])
    const { responses } = await sendRaw(origin, [head, body])
    expect(responses.map(({ status }) => status)).toEqual([400])
  }
  await consumeAllowance(site.app, VISITOR, 'upload', 1)
})
