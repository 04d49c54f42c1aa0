import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { broadcast, job } from '#db/schema/index.ts'
import type { OpenOptions } from '#server/core/http/fetcher.ts'
import type { JobTimes } from '#server/core/jobs/lease.ts'
import { SOUND_PATH } from '#server/features/radio/mix/processes/followHost.ts'
import { createLiveHost } from '#server/features/radio/mix/processes/liveHost.ts'
import { connectSource, createStreamer } from '#tests/helpers/liveSources.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** In seconds. */
const SHORT: JobTimes = { lease: 2, maxRun: null, grace: 1, poll: 0.1 }

let site: TestSite
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  site = await startSite()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
afterAll(() => site.close())

/** A process whose events, database and connections to other processes the test controls. */
function startProcess(url: string) {
  const { services } = site.app
  const state = { isDown: false }
  const connections: { url: string; body: PassThrough }[] = []
  const live = { sound: { stop: vi.fn(), apply: vi.fn() }, setRemoteState: vi.fn(), recover: vi.fn(), abandon: vi.fn() }
  const open = async ({ origin }: URL, { signal }: OpenOptions) => {
    const body = new PassThrough().on('error', () => {})
    signal?.addEventListener('abort', () => body.destroy(new Error('aborted')))
    connections.push({ url: origin, body })
    return { status: 200, body }
  }
  const db = new Proxy(services.db, {
    get(target, name) {
      if (state.isDown) throw new Error('the database does not answer')
      return Reflect.get(target, name)
    },
  })
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() } as never
  const host = createLiveHost(
    {
      ...{ db, log, now: services.now, database: { kind: 'postgres' } },
      ...{ live: live as never, fetcher: { open } as never, secret: Buffer.from('secret') },
    },
    SHORT,
  )
  host.start({ ...services, db, log }, url)
  cleanups.push(host.close)
  return { host, state, live, connections, hosts: () => connections.map(({ url }) => url) }
}

/** Starts a process that gets the sources, and one that follows it. */
async function startTwo() {
  const first = startProcess('http://host.test')
  await expect.poll(() => first.host.isHost()).toBe(true)
  const follower = startProcess('http://follower.test')
  await expect.poll(follower.hosts).toEqual(['http://host.test'])
  return { first, follower }
}

test('one process has the sources, and others follow it', async () => {
  const { first, follower } = await startTwo()
  expect([await first.host.find(), (await follower.host.find())?.url]).toEqual([null, 'http://host.test'])
  expect([first.live.recover.mock.calls.length, follower.live.recover.mock.calls.length]).toEqual([1, 0])
})

test('follows its host again after an error of the database, and ends no broadcast', async () => {
  const { follower } = await startTwo()
  follower.state.isDown = true
  follower.connections[0]?.body.end()
  await sleep(300)
  follower.state.isDown = false
  await expect.poll(follower.hosts).toEqual(['http://host.test', 'http://host.test'])
  expect(follower.live.recover).not.toHaveBeenCalled()
})

test('disconnects its sources when it cannot renew its lease, and another process takes them', async () => {
  const { first, follower } = await startTwo()
  await sleep(2400)
  expect([first.host.isHost(), first.live.abandon.mock.calls.length]).toEqual([true, 0])
  first.state.isDown = true
  await expect.poll(() => first.live.abandon.mock.calls.length).toBe(1)
  expect(first.host.isHost()).toBe(false)
  await expect.poll(() => follower.host.isHost()).toBe(true)
  expect(follower.connections[0]?.body.destroyed).toBe(true)
  expect([follower.live.sound.stop.mock.calls.length > 0, follower.live.recover.mock.calls.length]).toEqual([true, 1])
})

test('after a clean end, a source waits for the next process', async () => {
  const { first, follower } = await startTwo()
  await first.host.close()
  expect(await follower.host.find()).toBeNull()
  expect([follower.host.isHost(), first.live.abandon.mock.calls.length]).toEqual([true, 0])
})

test('replaces a process that accepts no connection, unless its messages arrive', async () => {
  const { first, follower } = await startTwo()
  const host = { process: '', url: '', ...(await follower.host.find()) }
  await sleep(50)
  expect(await follower.host.replace(host)).toBe(false)
  first.state.isDown = true
  follower.connections[0]?.body.end()
  await expect.poll(() => follower.host.replace(host)).toBe(true)
  expect(await follower.host.find()).toBeNull()
})

/** Starts a second process on the same database, and a function that connects sources to either. */
async function startSecondProcess() {
  const database = await openDatabase(site)
  const other = await startSite({}, { database })
  cleanups.push(other.close, database.close)
  for (const { app } of [site, other]) {
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  }
  const open = ({ app }: TestSite, name: string) => {
    const source = connectSource((app.server.address() as AddressInfo).port, { name })
    cleanups.push(async () => source.stop())
    return source
  }
  return { other, open }
}
const onAirIn = ({ app }: TestSite) => app.services.live.ownState().onAir?.broadcastId

/** Returns the first two messages that a process sends to those that follow it. */
async function readFirstMessages({ app }: TestSite): Promise<object[]> {
  const { port } = app.server.address() as AddressInfo
  const abort = new AbortController()
  const { body } = await fetch(`http://127.0.0.1:${port}${SOUND_PATH}`, {
    headers: { authorization: app.services.liveHost.authorization },
    signal: abort.signal,
  })
  const messages: object[] = []
  let rest = Buffer.alloc(0)
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length > 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      messages.push(deserialize(rest.subarray(4)))
      rest = rest.subarray(4 + rest.readUInt32BE(0))
    }
    if (messages.length > 1) break
  }
  abort.abort()
  return messages.slice(0, 2)
}

test('refuses a source that it cannot pass on', async () => {
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  await expect.poll(() => site.app.services.liveHost.isHost()).toBe(true)
  const { other, open } = await startSecondProcess()
  for (const name of ['cid', 'dan']) await createStreamer(site, name)
  const first = open(site, 'cid')
  void first.play(framesOf({ seconds: 30 }))
  await expect.poll(() => onAirIn(site)).toBeDefined()
  // The title belongs to the sound that follows. Processes of an earlier version need the type.
  const start = { kind: 'start', type: 'audio/mpeg' }
  expect(await readFirstMessages(site)).toMatchObject([{ kind: 'state' }, start])
  const broadcastId = onAirIn(site)
  const { liveHost } = other.app.services
  // Its messages arrive.
  await expect.poll(() => other.app.services.live.onAir(1)).not.toBeNull()
  vi.spyOn(liveHost, 'forward').mockResolvedValueOnce(false)
  const refused = open(other, 'dan')
  await expect.poll(refused.answer).toMatch(/^HTTP\/1.0 503 .*\r\nRetry-After: /s)
  expect([liveHost.isHost(), onAirIn(site), first.isClosed()]).toEqual([false, broadcastId, false])
  const second = open(other, 'dan')
  await expect.poll(second.answer).toBe('HTTP/1.0 200 OK\r\n\r\n')
  expect(liveHost.isHost()).toBe(false)
  // Without the grace period of sources that drop.
  const { live } = site.app.services
  for (const { id } of live.sources()) live.disconnect(id)
})

test('leaves its broadcast to the next process when another one has taken its lease', async () => {
  const { other, open } = await startSecondProcess()
  for (const name of ['ann', 'bob']) await createStreamer(site, name)
  const both = [site, other]
  const findHost = () => both.find(({ app }) => app.services.liveHost.isHost())
  await expect.poll(findHost).toBeDefined()
  const host = findHost() as TestSite
  const [first, silent] = [open(host, 'ann'), open(host, 'bob')]
  void first.play(framesOf({ seconds: 30 }))
  await expect.poll(() => onAirIn(host)).toBeDefined()
  const broadcastId = onAirIn(host)

  const { db } = site.app.services
  const lease = { startedAt: new Date(Date.now() - 1000), leasedUntil: new Date(Date.now() + 8000) }
  await db.update(job).set(lease).where(eq(job.name, 'live-sources'))
  await expect.poll(() => [first.isClosed(), silent.isClosed(), onAirIn(host)]).toEqual([true, true, undefined])
  await expect.poll(findHost).toBeDefined()
  void open(other, 'ann').play(framesOf({ seconds: 30 }))
  await expect.poll(() => both.map(onAirIn)).toContain(broadcastId)
  const [row] = await db
    .select()
    .from(broadcast)
    .where(eq(broadcast.id, broadcastId ?? 0))
  expect(row).toMatchObject({ endedAt: null })
})
