import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { outbox, pushSubscription } from '#db/schema/index.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import type { AlertKind } from '#src/contract/alerts.ts'
import { createBoard } from '#tests/helpers/apiCalls.ts'
import { sendOutbox } from '#tests/helpers/outbox.ts'
import { createPushKeys } from '#tests/helpers/pushKeys.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const SECRET = 'secret of the webhook'
const MINUTE_MS = 60_000
const received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
let respond: (path: string) => number = () => 201
let now = Date.now()
let site: TestSite
let receiver: string
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
  response.writeHead(respond(request.url ?? '')).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    ALLOW_PRIVATE_NETWORK: 'on',
    MODERATION_WEBHOOK_URL: `${receiver}/webhook`,
    MODERATION_WEBHOOK_SECRET: SECRET,
  }
  site = await startSite(env, { now: () => new Date(now) })
})
afterAll(async () => {
  await site.close()
  server.close()
})
afterEach(async () => {
  received.splice(0)
  respond = () => 201
  now += 2 * MINUTE_MS
  const { db } = site.app.services
  for (const table of [outbox, pushSubscription]) await db.delete(table)
})

/** A browser's side of a push subscription. */
function createBrowser(path = `/${randomBytes(6).toString('hex')}`) {
  const { keys, decrypt } = createPushKeys()
  const form = { endpoint: `${receiver}${path}`, keys }
  const messages = () =>
    received.filter((request) => request.path === path).map(({ body }) => JSON.parse(decrypt(body)))
  return { form, path, messages }
}

const call = async (procedure: string, token: string | undefined, input: object) => {
  const response = await site.app.inject({
    method: 'POST',
    url: `/trpc/moderation.alerts.${procedure}`,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    payload: { json: input },
  })
  return { status: response.statusCode, text: response.body }
}
const raise = (kind: AlertKind, boardId: string | null, count = 1) =>
  site.app.services.db.transaction((tx) => alertModerators(tx, new Date(now), { kind, boardId, count }))
const send = () => sendOutbox(site.app.services)
const webhooks = () => received.filter(({ path }) => path === '/webhook')

test('pushes an encrypted message to admins and to the moderators of the board', async () => {
  const owner = await site.createToken('owner@example.org')
  const board = await createBoard(site, 'Alerts', owner)
  const other = await site.createToken('other@example.org')
  await createBoard(site, 'Elsewhere', other)
  const [admin, moderator, stranger] = [createBrowser(), createBrowser(), createBrowser()]
  expect(await call('subscribe', await site.createToken('chief@example.org', 'admin'), admin.form)).toMatchObject({
    status: 200,
  })
  expect(await call('subscribe', owner, moderator.form)).toMatchObject({ status: 200 })
  expect(await call('subscribe', other, stranger.form)).toMatchObject({ status: 200 })
  await raise('report', board, 2)
  await raise('report', null)
  await send()
  expect(admin.messages()).toEqual([
    { kind: 'report', title: '3 new reports', body: `/${board}/`, path: '/admin/queue' },
  ])
  expect(moderator.messages()).toMatchObject([{ title: '2 new reports' }])
  expect(stranger.messages()).toEqual([])
  const { headers } = received.find(({ path }) => path === admin.path) ?? {}
  expect(headers?.authorization).toMatch(/^vapid t=/)
})

test('pushes at most one alert per kind and minute, and adds up the others', async () => {
  const browser = createBrowser()
  await call('subscribe', await site.createToken('chief@example.org', 'admin'), browser.form)
  await raise('held', null)
  await send()
  for (let times = 0; times < 3; times++) await raise('held', null)
  await raise('raid', null)
  await send()
  expect(browser.messages().map(({ title }) => title)).toEqual(['1 new held post', 'Many posts: raid protection is on'])
  now += MINUTE_MS
  await send()
  expect(browser.messages().at(-1)).toMatchObject({ title: '3 new held posts' })
})

test('deletes a subscription that has ended, and keeps it after other errors', async () => {
  const { db } = site.app.services
  const [gone, broken] = [createBrowser('/gone'), createBrowser('/broken')]
  const token = await site.createToken('chief@example.org', 'admin')
  await call('subscribe', token, gone.form)
  await call('subscribe', token, broken.form)
  respond = (path) => (path === '/gone' ? 410 : 500)
  await raise('report', null)
  await send()
  expect((await db.select().from(pushSubscription)).map(({ endpoint }) => endpoint)).toEqual([broken.form.endpoint])
  await call('unsubscribe', token, { endpoint: broken.form.endpoint })
  expect(await db.$count(pushSubscription)).toBe(0)
})

test('accepts only subscriptions of moderators with valid keys', async () => {
  const { form } = createBrowser()
  expect((await call('subscribe', undefined, form)).status).toBe(401)
  expect((await call('subscribe', await site.createToken('nobody@example.org'), form)).status).toBe(403)
  const token = await site.createToken('chief@example.org', 'admin')
  for (const wrong of [
    {},
    { ...form, endpoint: 'javascript:1' },
    { ...form, endpoint: `https://example.org/${'a'.repeat(3000)}` },
    { ...form, keys: { ...form.keys, p256dh: randomBytes(65).toString('base64url') } },
    { ...form, keys: { ...form.keys, auth: 'short' } },
  ])
    expect((await call('subscribe', token, wrong)).status).toBe(400)
  for (let times = 0; times < 12; times++) await call('subscribe', token, createBrowser().form)
  expect(await site.app.services.db.$count(pushSubscription)).toBe(10)
})

test('calls the webhook with a signed body without content', async () => {
  await raise('report', null, 4)
  await send()
  const [request] = webhooks()
  const body = String(request?.body)
  expect(JSON.parse(body)).toEqual({
    event: 'report',
    count: 4,
    boards: [],
    at: new Date(now).toISOString(),
    url: `${site.app.services.config.siteUrl}/admin/queue`,
  })
  const timestamp = request?.headers['x-webhook-timestamp']
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  expect(request?.headers['x-webhook-signature']).toBe(`sha256=${signature}`)
  expect(await site.app.services.db.$count(outbox)).toBe(0)
})

test('repeats a failed call of the webhook later, and gives up in the end', async () => {
  const { db } = site.app.services
  respond = () => 500
  await raise('report', null)
  await send()
  await send()
  expect(webhooks()).toHaveLength(1)
  now += 31_000
  await send()
  expect(webhooks()).toHaveLength(2)
  for (let times = 0; times < 10; times++) {
    now += 3 * 60 * MINUTE_MS
    await send()
  }
  expect(webhooks()).toHaveLength(8)
  expect(await db.$count(outbox)).toBe(0)
})
