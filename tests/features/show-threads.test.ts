import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { board, broadcast, thread } from '#db/schema/index.ts'
import { type Announcer, createAnnouncer } from '#server/features/show/announcements/announcer.ts'
import { announceBroadcasts } from '#server/features/show/announcements/job.ts'
import { readLiveThread } from '#server/features/show/announcements/readBroadcast.ts'
import { boardLimits } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { parseMarkup } from '#src/lib/markup.ts'
import { callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { createBroadcasts, createSilentSource } from '#tests/helpers/fakeBroadcasts.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

const SITE_URL = 'https://radio.example'
const MINUTE_MS = 60_000
let site: TestSite
let admin: string
let announcer: Announcer
let broadcasts: ReturnType<typeof createBroadcasts>
let now = Date.UTC(2026, 5, 1, 20)
const { source, recordings, live } = createSilentSource()

beforeAll(async () => {
  const env = { SHOW_BOARD: 'shows', SITE_URL }
  site = await startSite(env, { now: () => new Date(now), radioSource: source })
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Shows', admin)
  announcer = createAnnouncer(site.app.services, { endDelayMs: 0 })
  broadcasts = createBroadcasts(site, announcer.observer)
})
afterAll(async () => {
  await announcer.close()
  await site.close()
})
afterEach(async () => {
  recordings.splice(0)
  await site.app.services.db.delete(broadcast)
  now += 10 * MINUTE_MS
})

type Started = Awaited<ReturnType<typeof broadcasts.start>>
const runJob = () => announceBroadcasts(site.app.services, new AbortController().signal)
const threadIdOf = async (started: Started) => (await started.read())?.threadId ?? null
const announced = async (started: Started) => {
  await expect.poll(async () => (await started.read())?.startAnnouncedAt).toBeInstanceOf(Date)
  return (await threadIdOf(started)) ?? 0
}
const ended = (started: Started) => expect.poll(async () => (await started.read())?.endAnnouncedAt).toBeInstanceOf(Date)
const readThread = async (id: number, boardId = 'shows') =>
  (await callApi(site, 'GET', `/api/dtpchan/boards/${boardId}/threads/${id}`)).body.thread
const setSwitch = (on: boolean) =>
  callApi(site, 'PUT', '/api/moderation/switches/read-only', { json: { on }, token: admin })

test('opens one pinned thread per broadcast, marked as written by the site', async () => {
  const started = await broadcasts.start({ title: 'Deep Sea Radio' })
  const other = createAnnouncer(site.app.services)
  const { stationId, streamerName: name } = (await started.read()) as { stationId: number; streamerName: string }
  const streamer = { userId: '', name }
  const onAir = { broadcastId: started.id, stationId, streamer, showId: null, title: null }
  other.observer.onStart?.({ ...onAir, startedAt: new Date(now), type: '', format: '' })
  started.resume()
  await runJob()
  await other.close()
  const id = await announced(started)
  const opened = await readThread(id)
  expect(opened).toMatchObject({ title: 'Deep Sea Radio', author: 'Nightowl', tripcode: '!!radio', pinned: true })
  expect(opened.content).toBe(
    `Deep Sea Radio, with Nightowl, is live.\n\nSchedule: ${SITE_URL}/radio\nStream: ${SITE_URL}/radio/1/stream`,
  )
  expect(await site.app.services.db.$count(thread)).toBe(1)

  const visitor = createVisitor(site, '192.0.2.7')
  const { body } = await visitor.postComment('shows', id, { author: 'Nightowl !!radio' })
  expect(body).toEqual({ success: false, error: t('board.authorCode') })

  Object.assign(live, { isLive: true, streamer: 'Nightowl' })
  const { nowPlaying } = (await callApi(site, 'GET', '/api/radio/nowplaying/1')).body
  expect(nowPlaying.live).toEqual({ isLive: true, streamer: 'Nightowl', thread: `/dtpchan/board/shows/thread/${id}` })
  Object.assign(live, { isLive: false, streamer: '' })
})

test('unpins the thread at the end, and adds the recording and the tracklist when it is in the archive', async () => {
  const started = await broadcasts.start()
  const id = await announced(started)
  await started.addTrack(3725.5, '', 'Tide ```\n[spoiler]x[/spoiler] >>1 https://spam.example')
  await started.addTrack(0, 'The Abyss', 'Descent')
  const startedAt = new Date(now)
  now += 63 * MINUTE_MS
  await started.end()
  await expect.poll(async () => (await readThread(id)).pinned).toBe(false)
  await runJob()
  expect(await readThread(id)).toMatchObject({ title: 'Nightowl live', comments: [] })

  recordings.push({ id: 90, startedAt: new Date(now - 300 * MINUTE_MS), endedAt: startedAt })
  recordings.push({ id: 91, startedAt, endedAt: new Date(now) })
  now += 11_000
  await Promise.all([runJob(), runJob()])
  await runJob()
  const { comments } = await readThread(id)
  expect(comments).toHaveLength(1)
  const [comment] = comments
  expect(comment).toMatchObject({ author: 'Nightowl', tripcode: '!!radio', sage: false })
  expect(comment.links).toEqual([`${SITE_URL}/api/radio/station/1/streamer/7/broadcast/91/download`])
  expect(comment.content).toContain(`Nightowl was live for 1 h 3 min.\n\nRecording: ${SITE_URL}/archive?streamer=7\n\n`)
  const code = parseMarkup(comment.content).find(({ kind }) => kind === 'code')
  expect(code).toMatchObject({
    language: 'tracklist',
    text: '0:00:00  The Abyss – Descent\n1:02:05  Tide ``` [spoiler]x[/spoiler] >>1 https://spam.example',
  })
})

test('links the recording of the broadcast that has its tracks, also if it began with another format', async () => {
  const started = await broadcasts.start()
  const id = await announced(started)
  const startedAt = new Date(now)
  now += 63 * MINUTE_MS
  recordings.push({ id: started.id + 1, startedAt, endedAt: new Date(now - 20 * MINUTE_MS) })
  recordings.push({ id: started.id, startedAt: new Date(now - 20 * MINUTE_MS), endedAt: new Date(now) })
  await started.end()
  await ended(started)
  const [comment] = (await readThread(id)).comments
  expect(comment.links).toEqual([`${SITE_URL}/api/radio/station/1/streamer/7/broadcast/${started.id}/download`])
})

test('unpins a thread that a moderator deleted during the broadcast, for the case that it is restored', async () => {
  const started = await broadcasts.start()
  const id = await announced(started)
  const act = { boardId: 'shows', postId: id, action: 'delete' }
  const { logId } = (await callApi(site, 'POST', '/api/moderation/act', { json: act, token: admin })).body
  await started.end()
  now += 3 * MINUTE_MS
  await runJob()
  await ended(started)
  await callApi(site, 'POST', '/api/moderation/restore', { json: { logId }, token: admin })
  expect((await readThread(id)).pinned).toBe(false)
})

test('finishes what a dead process left', async () => {
  const silent = createBroadcasts(site)
  const [running, over, old] = [await silent.start(), await silent.start(), await silent.start()]
  const { db } = site.app.services
  await over.end()
  await old.end()
  await db
    .update(broadcast)
    .set({ endedAt: new Date(now - 60 * MINUTE_MS) })
    .where(eq(broadcast.id, old.id))
  await runJob()
  const id = (await threadIdOf(over)) ?? 0
  expect((await readThread(id)).comments).toEqual([])
  now += 2 * MINUTE_MS
  await runJob()
  expect((await readThread(id)).comments).toMatchObject([{ content: 'Nightowl was live for 1 min.' }])
  expect(await readThread((await threadIdOf(running)) ?? 0)).toMatchObject({ pinned: true, comments: [] })
  expect(await threadIdOf(old)).toBeNull()
})

test('posts into locked threads, and not into deleted ones', async () => {
  const { db } = site.app.services
  const [locked, deleted] = [await broadcasts.start(), await broadcasts.start()]
  const [lockedId, deletedId] = [await announced(locked), await announced(deleted)]
  await db.update(thread).set({ locked: true }).where(eq(thread.id, lockedId))
  const path = `/api/dtpchan/boards/shows/threads/${deletedId}`
  expect((await callApi(site, 'DELETE', path, { token: admin })).status).toBe(200)
  deleted.resume()
  expect(await readLiveThread(site.app.services, 1)).toBe(`/dtpchan/board/shows/thread/${lockedId}`)
  now += 3 * MINUTE_MS
  await locked.end()
  await deleted.end()
  now += 3 * MINUTE_MS
  await runJob()
  await Promise.all([ended(locked), ended(deleted)])
  expect((await readThread(lockedId)).comments).toHaveLength(1)
  expect((await callApi(site, 'GET', path)).status).toBe(404)
  expect(await threadIdOf(deleted)).toBe(deletedId)
})

test('opens a thread per handover, and pins as many as the board may have', async () => {
  const { db } = site.app.services
  await db.update(thread).set({ pinned: false })
  const before = await db.$count(thread)
  const started: Started[] = []
  for (let times = 0; times < boardLimits.pinnedThreads + 5; times++) started.push(await broadcasts.start())
  const ids = await Promise.all(started.map(announced))
  expect(new Set(ids).size).toBe(started.length)
  expect(await db.$count(thread)).toBe(before + started.length)
  expect(await db.$count(thread, eq(thread.pinned, true))).toBe(boardLimits.pinnedThreads)
})

test('opens no thread on a read-only site or a deleted board, and goes on', async () => {
  await setSwitch(true)
  expect(await announced(await broadcasts.start())).toBe(0)
  await setSwitch(false)
  expect(await announced(await broadcasts.start())).not.toBe(0)
  await site.app.services.db.update(board).set({ deletedAt: new Date(now) })
  const started = await broadcasts.start()
  expect(await announced(started)).toBe(0)
  await started.end()
  now += 3 * MINUTE_MS
  await runJob()
  await ended(started)
})
