import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { broadcast, liveHost } from '#db/schema/index.ts'
import type { OpenOptions } from '#server/core/http/fetcher.ts'
import type { Host } from '#server/features/radio/live/host/hostRow.ts'
import { createLiveHost, type HostTimes } from '#server/features/radio/live/host/liveHost.ts'
import { connectSource, createStreamer } from '#tests/helpers/liveSources.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const SHORT: HostTimes = { lease: 1000, refresh: 200, poll: 100, retry: 50 }

let site: TestSite
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  site = await startSite()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  await site.app.services.db.delete(liveHost)
})
afterAll(() => site.close())

/** A process with one source. The test controls its events, its database and its connections to hosts. */
function startProcess(url: string) {
  const { db, cache, now } = site.app.services
  const state = { isDown: false, reads: 0, emit: (_payload: string) => {} }
  const connections: { url: string; body: PassThrough }[] = []
  const live = {
    sound: { stop: vi.fn(), apply: vi.fn() },
    setRemoteState: vi.fn(),
    isIdle: () => false,
    recover: vi.fn(),
    abandon: vi.fn(),
  }
  const open = async ({ origin }: URL, { signal }: OpenOptions) => {
    const body = new PassThrough().on('error', () => {})
    signal?.addEventListener('abort', () => body.destroy(new Error('aborted')))
    connections.push({ url: origin, body })
    return { status: 200, body }
  }
  const host = createLiveHost(
    {
      db: new Proxy(db, {
        get(target, name) {
          if (name === 'select') state.reads++
          if (state.isDown) throw new Error('the database does not answer')
          return Reflect.get(target, name)
        },
      }),
      database: {
        kind: 'postgres',
        events: {
          subscribe(listener) {
            state.emit = listener
            return () => {}
          },
          onReconnect: () => () => {},
        },
      },
      ...{ cache, now, live: live as never, fetcher: { open } as never, secret: Buffer.from('secret') },
      log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() } as never,
    },
    SHORT,
  )
  host.start(url)
  cleanups.push(host.close)
  return { host, state, live, connections, hosts: () => connections.map(({ url }) => url) }
}

test('follows a host that no event announced', async () => {
  const follower = startProcess('http://follower.test')
  await expect.poll(() => follower.state.reads).toBeGreaterThan(1)
  const { host } = startProcess('http://host.test')
  expect(await host.claim()).toBeNull()
  await expect.poll(follower.hosts).toEqual(['http://host.test'])
})

test('follows its host again after an error of the database, and ends no broadcast', async () => {
  const { host } = startProcess('http://host.test')
  await host.claim()
  const { state, live, connections, hosts } = startProcess('http://follower.test')
  await expect.poll(hosts).toEqual(['http://host.test'])
  state.isDown = true
  connections[0]?.body.end()
  const { reads } = state
  await expect.poll(() => state.reads).toBeGreaterThan(reads + 1)
  state.isDown = false
  await expect.poll(hosts).toEqual(['http://host.test', 'http://host.test'])
  expect(live.recover).not.toHaveBeenCalled()
})

test('disconnects its sources when it cannot refresh its lease', async () => {
  const { host, state, live } = startProcess('http://host.test')
  await host.claim()
  await new Promise((resolve) => setTimeout(resolve, SHORT.lease * 1.2))
  expect(host.isHost()).toBe(true)
  expect(live.abandon).not.toHaveBeenCalled()
  state.isDown = true
  await expect.poll(() => live.abandon.mock.calls.length).toBe(1)
  expect(host.isHost()).toBe(false)
})

test('leaves its host when another process takes the sources', async () => {
  const former = startProcess('http://former.test')
  await former.host.claim()
  const follower = startProcess('http://follower.test')
  await expect.poll(follower.hosts).toEqual(['http://former.test'])
  const unreachable = await follower.host.claim()
  const { host } = startProcess('http://host.test')
  expect(await host.claim(unreachable ?? undefined)).toBeNull()
  follower.state.emit('[{"change":{"kind":"live-host"}}]')
  await expect.poll(follower.hosts).toEqual(['http://former.test', 'http://host.test'])
  expect(follower.connections[0]?.body.destroyed).toBe(true)
  expect(follower.live.sound.stop).toHaveBeenCalled()
  await expect.poll(() => former.live.abandon.mock.calls.length).toBe(1)
})

test('a host is alive while its messages arrive', async () => {
  const { host } = startProcess('http://host.test')
  await host.claim()
  const follower = startProcess('http://follower.test')
  await expect.poll(follower.hosts).toEqual(['http://host.test'])
  const row = (await follower.host.claim()) as Host
  await expect.poll(() => follower.host.isAlive(row)).toBe(true)
  expect(follower.host.isAlive({ ...row, process: 'other' })).toBe(false)
  follower.connections[0]?.body.end()
  await expect.poll(() => follower.hosts().length > 1).toBe(true)
  await host.close()
  follower.connections[1]?.body.end()
  await expect.poll(() => follower.host.isAlive(row)).toBe(false)
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

test('refuses a source that it cannot pass on while the host is alive', async () => {
  const { other, open } = await startSecondProcess()
  for (const name of ['cid', 'dan']) await createStreamer(site, name)
  const first = open(site, 'cid')
  void first.play(framesOf({ seconds: 30 }))
  await expect.poll(() => onAirIn(site)).toBeDefined()
  const broadcastId = onAirIn(site)
  const { liveHost } = other.app.services
  const host = (await liveHost.claim()) as Host
  await expect.poll(() => liveHost.isAlive(host)).toBe(true)

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

test('leaves its broadcast to the process that has taken the sources', async () => {
  const { other, open } = await startSecondProcess()
  for (const name of ['ann', 'bob']) await createStreamer(site, name)
  const [first, silent] = [open(site, 'ann'), open(site, 'bob')]
  void first.play(framesOf({ seconds: 30 }))
  await expect.poll(() => onAirIn(site)).toBeDefined()
  const broadcastId = onAirIn(site)

  const unreachable = await other.app.services.liveHost.claim()
  await other.app.services.liveHost.claim(unreachable ?? undefined)
  void open(other, 'ann').play(framesOf({ seconds: 30 }))
  await expect.poll(() => onAirIn(other)).toBe(broadcastId)
  await expect.poll(() => [first.isClosed(), silent.isClosed(), onAirIn(site)]).toEqual([true, true, undefined])
  // Time for a wrong end of the row.
  await sleep(300)
  const { db } = site.app.services
  const [row] = await db
    .select()
    .from(broadcast)
    .where(eq(broadcast.id, broadcastId ?? 0))
  expect(row).toMatchObject({ endedAt: null })
})
