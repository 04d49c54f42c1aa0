import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postJson } from '#tests/helpers/backupSite.ts'
import { type BucketServer, startBucketServer } from '#tests/helpers/bucketServer.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { connectSource, type RawSource, until } from '#tests/helpers/liveSources.ts'
import { framesOf, mp3 } from '#tests/helpers/mp3.ts'
import { listenToRadio, type RadioListener } from '#tests/helpers/radioListener.ts'
import { type RoundRobinProxy, startRoundRobinProxy } from '#tests/helpers/roundRobinProxy.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { addStreamerTo } from '#tests/helpers/streamers.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const SONG = 1
const SHOW = 9
const WRITERS = 3
const READERS = 3
const PAUSE_MS = 100
/** Time for a step on a busy machine. */
const STEP_MS = 30_000
/** The oldest that a page may be. */
const MAX_AGE_MS = 1000
/** The longest time that a listener may hear nothing. */
const MAX_SILENCE_MS = 3000

let place: TestDatabase
let sites: SiteProcess[]
let bucket: BucketServer
let proxy: RoundRobinProxy
let thread: Awaited<ReturnType<typeof createBoardWithThread>>
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  place = await testDatabase()
  bucket = await startBucketServer()
  sites = await Promise.all(['one', 'two', 'three'].map(startProcess))
  proxy = await startRoundRobinProxy(sites.map(({ origin }) => origin))
  thread = await createBoardWithThread(proxy.origin, 'Replicas')
  await addStreamerTo(place, ADMIN.email, 'ann')
})
afterAll(async () => {
  for (const cleanup of cleanups) cleanup()
  await Promise.all(sites.map((site) => site.stop()))
  await proxy.close()
  await bucket.close()
  await place.cleanup()
})

/** Starts a process with a folder of its own, which has only a copy of the music. */
async function startProcess(name: string): Promise<SiteProcess> {
  const dataDir = join(place.dataDir, name)
  await mkdir(join(dataDir, 'radio'), { recursive: true })
  await writeFile(join(dataDir, 'radio', 'song.mp3'), mp3({ seconds: 600, track: SONG, header: true }))
  return spawnSite({ ...place, dataDir }, { THREAD_POST_LIMIT: '100000', ...bucket.settings() })
}

const portOf = ({ origin }: SiteProcess) => Number(new URL(origin).port)
const listen = (port: number): RadioListener => {
  const listener = listenToRadio(port)
  cleanups.push(listener.stop)
  return listener
}
const hears = ({ marks }: RadioListener, track: number, since = 0) => {
  const last = marks.at(-1)
  return last?.track === track && last.at > since
}
const readLive = async (origin: string) => (await readJson(await fetch(`${origin}/api/radio/live/1`))).live

async function createImage(): Promise<File> {
  const picture = await openRaw(await createVariedImage(1))
  return new File([new Uint8Array(await picture.png().toBuffer())], 'p.png', { type: 'image/png' })
}

/** Plays a show as streaming programs do: if the connection ends, it connects again. */
function playShow(port: number) {
  const frames = framesOf({ seconds: 60, track: SHOW })
  let source: RawSource
  let isOver = false
  const run = async () => {
    for (; !isOver; await sleep(200)) {
      source = connectSource(port)
      await source.play(frames)
    }
  }
  const end = () => {
    isOver = true
    source.stop()
  }
  cleanups.push(end)
  void run()
  return { end }
}

test('the station is at the same second in all processes', async () => {
  const listeners = sites.map((site) => listen(portOf(site)))
  await until(() => listeners.every(({ marks }) => marks.length > 320), STEP_MS)
  // Compares when each process sent the frames that all have sent. A busy machine delays some of them.
  const { frame = 0 } = listeners[0]?.marks.at(-1) ?? {}
  await until(() => listeners.every(({ marks }) => (marks.at(-1)?.frame ?? 0) > frame))
  const spreads = Array.from({ length: 300 }, (_, back) => {
    const times = listeners.map(({ marks }) => marks.find((mark) => mark.frame === frame - back)?.at ?? 0)
    return Math.max(...times) - Math.min(...times)
  })
  expect(Math.min(...spreads)).toBeLessThan(1000)
  for (const { stop } of listeners) stop()
  const playing = await Promise.all(
    sites.map(async ({ origin }) => readJson(await fetch(`${origin}/api/radio/nowplaying/1`))),
  )
  const elapsed = playing.map(({ nowPlaying }) => nowPlaying.elapsed)
  expect(Math.max(...elapsed) - Math.min(...elapsed)).toBeLessThanOrEqual(1)
})

test('one of three processes dies under load, and nothing is lost', async () => {
  const comments = `${thread.threads}/${thread.threadId}/comments`
  const acknowledged = new Map<number, number>()
  const faults: string[] = []
  let hasWritten = false
  let isOver = false

  async function write(writer: number): Promise<void> {
    for (let number = 0; !hasWritten; number++) {
      // A post to the process that dies is not acknowledged.
      const answer = await postForm(proxy.origin, comments, { content: `${number} by ${writer}` }).catch(() => ({}))
      if (answer.success) acknowledged.set(answer.comment.id, performance.now())
      await sleep(PAUSE_MS)
    }
  }

  async function read(): Promise<void> {
    for (; !isOver; await sleep(PAUSE_MS)) {
      const startedAt = performance.now()
      const page = await fetch(`${proxy.origin}${thread.path}`).catch(() => null)
      const html = page?.status === 200 ? await page.text().catch(() => null) : null
      if (html === null) continue
      const due = [...acknowledged].filter(([, at]) => startedAt - at > MAX_AGE_MS)
      const missing = due.flatMap(([id]) => (new RegExp(`<article [^>]*id=p${id}[ >]`).test(html) ? [] : id))
      if (missing.length > 0) faults.push(`posts ${missing} are missing ${startedAt}`)
    }
  }

  /** Follows the thread as an open page does: after the end of a connection, it asks for missed events. */
  const received = new Set<number | undefined>()
  async function follow(): Promise<void> {
    for (let lastId = '0'; !isOver; await sleep(PAUSE_MS)) {
      const connection = await openEventConnection(proxy.origin, [`thread:${thread.threadId}`], lastId).catch(
        () => null,
      )
      if (!connection) continue
      cleanups.push(connection.close)
      let ended = false
      void connection.ended.then(() => {
        ended = true
      })
      while (!ended && !isOver) {
        const item = await connection.next().catch(() => null)
        if (!item) continue
        received.add(item.event.post?.view.id)
        lastId = item.id
      }
    }
  }

  const [first, ...others] = sites as [SiteProcess, SiteProcess, SiteProcess]
  const listeners = [listen(proxy.port), listen(proxy.port), listen(proxy.port)]
  const neighbours = others.map((site) => listen(portOf(site)))
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SONG)), STEP_MS)
  const load = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    ...Array.from({ length: READERS }, read),
    follow(),
  ]
  const { token } = await readJson(await postJson(proxy.origin, '/api/dtpchan/admin/login', ADMIN))
  const headers = { authorization: `Bearer ${token}` }
  const image = await createImage()
  const { comment } = await postForm(first.origin, comments, { content: 'with an image', image })
  acknowledged.set(comment.id, performance.now())

  // The first source decides which process has the show: the one that will die.
  const show = playShow(portOf(first))
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SHOW)), STEP_MS)
  show.end()
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SONG)), STEP_MS)
  const again = playShow(proxy.port)
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SHOW)), STEP_MS)
  for (const { origin } of sites) {
    const { sources } = await readJson(await fetch(`${origin}/api/radio/sources`, { headers }))
    expect(sources).toMatchObject([{ state: 'on-air', streamer: { name: 'ann' } }])
    expect(await readLive(origin)).toMatchObject({ streamer: 'ann' })
    expect((await fetch(`${origin}/internal/live/sound`)).status).toBe(404)
    expect((await fetch(`${origin}/internal/live/call`, { method: 'POST', body: '{' })).status).toBe(404)
  }
  const before = acknowledged.size
  const { broadcastId } = await readLive(proxy.origin)
  await first.stop('SIGKILL')
  again.end()
  const killedAt = performance.now()
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SONG, killedAt)), STEP_MS)
  const last = playShow(proxy.port)
  await until(() => [...listeners, ...neighbours].every((one) => hears(one, SHOW, killedAt)), STEP_MS)
  // It is the same broadcast, because its streamer came back.
  expect(await readLive(proxy.origin)).toMatchObject({ broadcastId })
  await until(() => acknowledged.size > before + 20, STEP_MS)
  last.end()
  hasWritten = true
  await until(() => [...acknowledged.keys()].every((id) => received.has(id)), STEP_MS)
  isOver = true
  await Promise.all(load)

  expect(faults).toEqual([])
  for (const site of others) {
    const { comments: there } = (await readJson(await fetch(`${site.origin}${thread.threads}/${thread.threadId}`)))
      .thread
    const ids = new Set(there.map(({ id }: { id: number }) => id))
    expect([...acknowledged.keys()].filter((id) => !ids.has(id))).toEqual([])
    expect((await fetch(`${site.origin}${comment.picture.url}`)).status).toBe(200)
    expect((await fetch(`${site.origin}/api/radio/sources`, { headers })).status).toBe(200)
  }
  const silences = [...listeners, ...neighbours].map(({ longestSilence }) => longestSilence())
  expect(Math.max(...silences)).toBeLessThan(MAX_SILENCE_MS)
  expect(listeners.some(({ reconnects }) => reconnects() > 0)).toBe(true)
})
