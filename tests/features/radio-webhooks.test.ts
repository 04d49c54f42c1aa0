import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { broadcast, outbox } from '#db/schema/index.ts'
import { MAX_WAITING, queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import { type Announcer, createAnnouncer } from '#server/features/show/announcements/announcer.ts'
import { announceBroadcasts } from '#server/features/show/announcements/job.ts'
import { createBroadcasts, createSilentSource } from '#tests/helpers/fakeBroadcasts.ts'
import { sendOutbox } from '#tests/helpers/outbox.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const SECRET = 'secret of the radio webhook'
const SITE_URL = 'https://radio.example'
type Received = { path: string; headers: IncomingHttpHeaders; text: string }
const received: Received[] = []
const ACCEPT = (response: ServerResponse) => response.writeHead(204).end()
let answerRadio: (response: ServerResponse) => unknown = ACCEPT
let now = Date.UTC(2026, 5, 1, 20)
let site: TestSite
let announcer: Announcer
let broadcasts: ReturnType<typeof createBroadcasts>
const { source, recordings } = createSilentSource()
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({ path: request.url ?? '', headers: request.headers, text: Buffer.concat(chunks).toString() })
  if (request.url === '/radio') answerRadio(response)
  else ACCEPT(response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    ...{ SITE_URL, ALLOW_PRIVATE_NETWORK: 'on' },
    ...{ RADIO_WEBHOOK_URL: `${receiver}/radio`, RADIO_WEBHOOK_SECRET: SECRET },
    ...{ MODERATION_WEBHOOK_URL: `${receiver}/moderation`, MODERATION_WEBHOOK_SECRET: 'another secret of the site' },
  }
  site = await startSite(env, { now: () => new Date(now), radioSource: source })
  announcer = createAnnouncer(site.app.services, { trackIntervalMs: 300, endDelayMs: 0 })
  broadcasts = createBroadcasts(site, announcer.observer)
})
afterAll(async () => {
  await announcer.close()
  await site.close()
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  answerRadio = ACCEPT
  recordings.splice(0)
  const { db } = site.app.services
  for (const table of [broadcast, outbox]) await db.delete(table)
  received.splice(0)
  now += 24 * 60 * 60_000
})

const calls = (path = '/radio') => received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text))
const signal = () => new AbortController().signal
const deliver = () => sendOutbox(site.app.services)
const waitForCalls = (count: number) => expect.poll(calls).toHaveLength(count)
const queue = (...names: string[]) =>
  site.app.services.db.transaction((tx) =>
    queueWebhooks(
      tx,
      site.app.services,
      'radio',
      names.map((name) => ({ name })),
    ),
  )

test('reports start, tracks and end in order, signed', async () => {
  const startedAt = new Date(now)
  const started = await broadcasts.start({ title: 'Deep Sea Radio' })
  await waitForCalls(1)
  started.play('The Abyss', 'Descent')
  for (const title of ['Skipped', 'Skipped too', 'Tide']) started.play('', title)
  await waitForCalls(3)
  now += 60 * 60_000
  recordings.push({ id: 91, startedAt, endedAt: new Date(now) })
  await started.end()
  await waitForCalls(4)
  const common = {
    ...{ site: SITE_URL, station: 1, broadcast: started.id, streamer: 'Nightowl', show: 'Deep Sea Radio' },
    ...{ startedAt: startedAt.toISOString(), endedAt: null, thread: null, recording: null },
  }
  const at = startedAt.toISOString()
  const end = new Date(now).toISOString()
  expect(calls()).toEqual([
    { event: 'broadcast.started', at, ...common },
    { event: 'track.changed', at, ...common, artist: 'The Abyss', title: 'Descent' },
    { event: 'track.changed', at, ...common, artist: '', title: 'Tide' },
    { event: 'broadcast.ended', at: end, ...common, endedAt: end, recording: `${SITE_URL}/archive?streamer=7` },
  ])
  for (const { headers, text } of received) {
    const signed = `${headers['x-webhook-timestamp']}.${text}`
    const signature = createHmac('sha256', SECRET).update(signed).digest('hex')
    expect(headers['x-webhook-signature']).toBe(`sha256=${signature}`)
  }
  await expect.poll(() => site.app.services.db.$count(outbox)).toBe(0)
})

test('keeps the order of the calls when one fails, and does not delay the other webhook', async () => {
  answerRadio = (response) => response.writeHead(503).end()
  await queue('first', 'second')
  await deliver()
  await deliver()
  expect(calls()).toEqual([{ name: 'first' }])
  const { db } = site.app.services
  await db.transaction((tx) => alertModerators(tx, new Date(now), { kind: 'report', boardId: null, count: 1 }))
  await deliver()
  expect(calls('/moderation')).toMatchObject([{ event: 'report' }])
  answerRadio = ACCEPT
  now += 31_000
  await deliver()
  expect(calls()).toEqual([{ name: 'first' }, { name: 'first' }, { name: 'second' }])
  const [failed, repeated] = received.filter(({ path }) => path === '/radio')
  expect(repeated?.headers['x-webhook-id']).toBe(failed?.headers['x-webhook-id'])
})

test('repeats a call whose answer never comes, and stops at once when the site closes', async () => {
  answerRadio = () => {}
  await queue('first')
  const closing = new AbortController()
  const run = sendOutbox(site.app.services, closing.signal)
  await waitForCalls(1)
  closing.abort()
  await expect(run).rejects.toThrow()
  const [row] = await site.app.services.db.select().from(outbox)
  expect(row).toMatchObject({ attempts: 0 })
  answerRadio = (response) => setTimeout(() => ACCEPT(response), 200)
  await deliver()
  expect(calls()).toHaveLength(2)
  expect(await site.app.services.db.$count(outbox)).toBe(0)
})

test('does not repeat a call that was accepted with an invalid body', async () => {
  await queue('first', 'second')
  answerRadio = (response) => {
    if (calls().length > 1) return response.writeHead(200, { 'content-encoding': 'odd' }).end('x')
    response.writeHead(200, { 'content-length': 50 }).write('x')
    return setTimeout(() => response.destroy(), 50)
  }
  await deliver()
  expect(calls()).toEqual([{ name: 'first' }, { name: 'second' }])
  expect(await site.app.services.db.$count(outbox)).toBe(0)
})

test('stores a limited number of calls, the newest', async () => {
  const { db } = site.app.services
  await queue(...Array.from({ length: MAX_WAITING + 20 }, (_, index) => String(index)))
  expect(await db.$count(outbox)).toBe(MAX_WAITING)
  answerRadio = (response) => response.writeHead(500).end()
  await deliver()
  expect(calls()).toEqual([{ name: '20' }])
})

test('reports once what a dead process did not report', async () => {
  const started = await createBroadcasts(site).start()
  await Promise.all([announceBroadcasts(site.app.services, signal()), announceBroadcasts(site.app.services, signal())])
  await started.end()
  now += 3 * 60_000
  await announceBroadcasts(site.app.services, signal())
  await announceBroadcasts(site.app.services, signal())
  await deliver()
  expect(calls().map(({ event }) => event)).toEqual(['broadcast.started', 'broadcast.ended'])
})
