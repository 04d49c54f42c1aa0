import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { job, outbox, pushSubscription, watcher } from '#db/schema/index.ts'
import { createOutboxJob, startOutbox } from '#server/core/outbox/outbox.ts'
import { createWebhookOutlet, queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import { createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { sendOutbox } from '#tests/helpers/outbox.ts'
import { createPushKeys } from '#tests/helpers/pushKeys.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const received: { path: string; headers: IncomingHttpHeaders }[] = []
/** paths whose requests get no answer */
const hanging = new Set<string>()
let now = Date.now()
let site: TestSite
let admin: string
let receiver: string
const server = createServer((request, response) => {
  const path = request.url ?? ''
  received.push({ path, headers: request.headers })
  if (!hanging.has(path)) response.writeHead(201).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    ALLOW_PRIVATE_NETWORK: 'on',
    ...{ MODERATION_WEBHOOK_URL: `${receiver}/moderation`, MODERATION_WEBHOOK_SECRET: 'one secret of the site' },
    ...{ RADIO_WEBHOOK_URL: `${receiver}/radio`, RADIO_WEBHOOK_SECRET: 'another secret of the site' },
  }
  site = await startSite(env, { now: () => new Date(now) })
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(async () => {
  await site.close()
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  received.splice(0)
  hanging.clear()
  now += 2 * 60_000
  for (const table of [outbox, pushSubscription, watcher]) await site.app.services.db.delete(table)
})

const calls = (path: string) => received.filter((one) => one.path === path)
const waitForCall = (path: string) => expect.poll(() => calls(path)).toHaveLength(1)
const call = (procedure: string, input: object) =>
  site.app.inject({
    method: 'POST',
    url: `/trpc/${procedure}`,
    headers: { authorization: `Bearer ${admin}` },
    payload: { json: input },
  })
const subscription = (path: string) => ({ endpoint: `${receiver}${path}`, keys: createPushKeys().keys })
const reportSpam = () =>
  site.app.services.db.transaction((tx) =>
    alertModerators(tx, new Date(now), { kind: 'report', boardId: null, count: 1 }),
  )
const queueRadio = () =>
  site.app.services.db.transaction((tx) => queueWebhooks(tx, site.app.services, 'radio', [{ name: 'call' }]))

test('a target that hangs delays no other one, nor what is queued for the others meanwhile', async () => {
  const boardId = await createBoard(site, 'Watched', admin)
  const threadId = (await postThread(site, boardId)).body.thread.id
  const threads = [{ id: threadId, readId: threadId, isWatched: true }]
  await call('board.watching.save', { ...subscription('/watcher'), threads, posts: [] })
  await call('moderation.alerts.subscribe', subscription('/moderator'))
  hanging.add('/moderation').add('/moderator')
  await reportSpam()
  const closing = new AbortController()
  const run = sendOutbox(site.app.services, closing.signal)
  await Promise.all([waitForCall('/moderation'), waitForCall('/moderator')])
  await queueRadio()
  await postComment(site, { boardId, threadId }, { content: 'text' })
  now += 10_000
  await Promise.all([waitForCall('/radio'), waitForCall('/watcher')])
  const rows = await site.app.services.db.select({ target: outbox.target, attempts: outbox.attempts }).from(outbox)
  expect(rows).toEqual([{ target: 'moderation-webhook', attempts: 0 }])
  closing.abort()
  await expect(run).rejects.toThrow()
})

test('a target whose sending fails does not stop the others, and the run counts as failed', async () => {
  const failing = {
    target: 'watchers' as const,
    batch: 1,
    send: () => Promise.reject(new Error('no database')),
  }
  const { services } = site.app
  await services.db.insert(outbox).values({ target: 'watchers', message: { postId: 1 }, nextAttemptAt: new Date(now) })
  await queueRadio()
  const job = createOutboxJob([failing, createWebhookOutlet('radio')])
  await expect(job.run(services, new AbortController().signal)).rejects.toThrow('Cannot send messages to watchers')
  expect(calls('/radio')).toHaveLength(1)
})

test('repeats a call with the same id after a crash between sending and recording', async () => {
  const { services } = site.app
  await queueRadio()
  const db = new Proxy(services.db, {
    get(target, key) {
      if (key === 'delete') throw new Error('crash')
      return Reflect.get(target, key)
    },
  })
  await expect(sendOutbox({ ...services, db })).rejects.toMatchObject({ errors: [new Error('crash')] })
  await sendOutbox(services)
  const ids = calls('/radio').map(({ headers }) => headers['x-webhook-id'])
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
  expect(await services.db.$count(outbox)).toBe(0)
})

test('does not push an alert again after a crash while it is sent', async () => {
  await call('moderation.alerts.subscribe', subscription('/moderator'))
  hanging.add('/moderator')
  await reportSpam()
  const crash = new AbortController()
  const run = sendOutbox(site.app.services, crash.signal)
  await waitForCall('/moderator')
  crash.abort()
  await run.catch(() => {})
  hanging.clear()
  now += 2 * 60_000
  await sendOutbox(site.app.services)
  expect(calls('/moderator')).toHaveLength(1)
  expect(calls('/moderation')).toHaveLength(1)
})

test('sends what was stored while the clock was a day ahead', async () => {
  now += 24 * 60 * 60_000
  await queueRadio()
  now -= 24 * 60 * 60_000
  await sendOutbox(site.app.services)
  expect(calls('/radio')).toHaveLength(1)
})

test('deletes the calls of a webhook that is no longer set', async () => {
  const { services } = site.app
  await queueRadio()
  const config = { ...services.config, webhooks: { moderation: null, radio: null } }
  await sendOutbox({ ...services, config })
  expect(calls('/radio')).toEqual([])
  expect(await services.db.$count(outbox)).toBe(0)
})

test('makes a call soon that was queued while a run was ending', async () => {
  const { services } = site.app
  const lease = { startedAt: new Date(), leasedUntil: new Date(Date.now() + 500) }
  await services.db
    .insert(job)
    .values({ name: 'outbox', ...lease })
    .onConflictDoUpdate({ target: job.name, set: lease })
  await queueRadio()
  await startOutbox(services)
  await waitForCall('/radio')
})

test('ends a run although there is always more to send', async () => {
  const { services } = site.app
  await services.db.insert(outbox).values({ target: 'watchers', message: { postId: 1 }, nextAttemptAt: new Date(now) })
  const start = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(start)
  const send = vi.fn(async () => {
    if (send.mock.calls.length === 3) clock.mockReturnValue(start + 31 * 60_000)
    return send.mock.calls.length < 20
  })
  const endless = createOutboxJob([{ target: 'watchers', batch: 1, send }])
  await endless.run(services, new AbortController().signal).finally(() => clock.mockRestore())
  expect(send).toHaveBeenCalledTimes(3)
})
