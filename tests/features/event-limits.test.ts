import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Topic } from '#src/contract/events.ts'
import { UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { type EventConnection, openEventConnection } from '#tests/helpers/eventConnection.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const CONNECTIONS = 3

let site: TestSite
let origin: string
let boardId: string
const open: (EventConnection | { close: () => void })[] = []
beforeAll(async () => {
  site = await startSite({
    EVENT_BYTES_PER_CONNECTION: '20kB',
    EVENT_CONNECTIONS_PER_NETWORK: String(CONNECTIONS),
  })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  boardId = await createBoard(site, 'Live limits', await site.createToken('admin@example.org', 'admin'))
})
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close()
  await expect.poll(() => site.app.services.eventHub.connectionCount()).toBe(0)
})
afterAll(() => site.close())

async function follow(topics: Topic[], lastEventId = '0') {
  const connection = await openEventConnection(origin, topics, lastEventId)
  open.push(connection)
  return connection
}
const thread = async () => (await postThread(site, boardId)).body.thread.id as number
const comment = (threadId: number, content: string) => postComment(site, { boardId, threadId }, { content })
const now = async (threadId: number) => {
  const input = encodeURIComponent(JSON.stringify({ json: { boardId, threadId: String(threadId) } }))
  return (await site.app.inject(`/trpc/board.thread?input=${input}`)).json().result.data.json.lastEventId as string
}
/** Publishes a now-playing event of about the given size. */
function say(bytes: number): void {
  const song = { ...UNKNOWN_NOW_PLAYING.song, title: 'x'.repeat(bytes) }
  const nowPlaying = { ...UNKNOWN_NOW_PLAYING, song }
  site.app.services.eventHub.broadcast({ topic: 'radio:1', change: { kind: 'now-playing', nowPlaying } })
}

test('replays small posts completely and asks the page to reload larger ones', async () => {
  const threadId = await thread()
  const before = await now(threadId)
  await comment(threadId, 'short')
  const page = await follow([`thread:${threadId}`], before)
  expect((await page.next()).event.post?.view.content).toBe('short')
  await comment(threadId, 'y'.repeat(9000))
  await comment(threadId, 'y'.repeat(9000))
  await comment(threadId, 'y'.repeat(9000))
  const late = await follow([`thread:${threadId}`], before)
  const { id, event } = await late.next()
  expect(event.change).toEqual({ kind: 'stale' })
  expect(event.post).toBeUndefined()
  expect(id).toBe(await now(threadId).then((last) => String(Number(last) - 1)))
})

test('counts bytes rather than characters', async () => {
  const threadId = await thread()
  const before = await now(threadId)
  await comment(threadId, '😀'.repeat(6000))
  const page = await follow([`thread:${threadId}`], before)
  expect((await page.next()).event.change).toEqual({ kind: 'stale' })
})

test('asks a page to reload when its event buffer is full, and continues', async () => {
  const page = await follow(['radio:1'])
  await expect.poll(() => site.app.services.eventHub.hasSubscribers('radio:1')).toBe(true)
  for (let times = 0; times < 50; times++) say(1000)
  say(100)
  const kinds: string[] = []
  while (kinds.at(-1) !== 'stale') kinds.push((await page.next()).event.change.kind)
  expect(kinds.length).toBeLessThan(25)
  say(50)
  expect((await page.next()).event.change.kind).toBe('now-playing')
})

test('buffers no more for a connection that does not read', async () => {
  const input = encodeURIComponent(JSON.stringify({ json: { topics: ['radio:1'] } }))
  const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  socket.pause()
  socket.write(`GET /trpc/site.events?input=${input} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  await expect.poll(() => site.app.services.eventHub.hasSubscribers('radio:1')).toBe(true)
  for (let round = 0; round < 300; round++) {
    say(15_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(site.app.services.eventHub.queuedBytes()).toBeLessThan(20_000)
})

test('counts connections of a network', async () => {
  for (let times = 0; times < CONNECTIONS; times++) await follow(['boards'])
  await expect.poll(() => site.app.services.eventHub.connectionCount()).toBe(CONNECTIONS)
  const refused = await follow(['boards'])
  await expect.poll(refused.errorCode).toBe('TOO_MANY_REQUESTS')
})
