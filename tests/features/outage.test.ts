import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFormData } from '#tests/helpers/apiCalls.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/helpers/databaseProxy.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { type EventConnection, openEventConnection } from '#tests/helpers/eventConnection.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const UNAVAILABLE = 'The service is not available right now. Please try again in a moment.'

let place: TestDatabase
let proxy: DatabaseProxy
/** reaches its database through the proxy; `neighbour` connects directly */
let site: SiteProcess
let neighbour: SiteProcess
let thread: { threads: string; threadId: number }
const open: EventConnection[] = []

beforeAll(async () => {
  place = await testDatabase()
  proxy = await startDatabaseProxy(place.databaseUrl ?? '')
  ;[site, neighbour] = await Promise.all([spawnSite({ ...place, databaseUrl: proxy.url }), spawnSite(place)])
  thread = await createBoardWithThread(site.origin, 'Outage')
})
afterAll(async () => {
  for (const connection of open) connection.close()
  expect(await Promise.all([site.stop(), neighbour.stop()])).toEqual([0, 0])
  await proxy.close()
  await place.cleanup()
})

const read = async (path: string) => {
  const answer = await fetch(`${site.origin}${path}`)
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}
const numbered = async (name: string) =>
  Number(new RegExp(`^${name} (.*)$`, 'm').exec((await read('/metrics')).text)?.[1])
const hear = async (lastEventId: string) => {
  const connection = await openEventConnection(site.origin, [`thread:${thread.threadId}`], lastEventId)
  open.push(connection)
  return connection
}

/** Sends every kind of write, like a visitor who opened the form before the outage. */
async function writings(challenge: { challengeId: string }): Promise<Response[]> {
  const picture = new File([new Uint8Array(await stillImage(60, 60).png().toBuffer())], 'p.png', { type: 'image/png' })
  const comment = { author: 'writer', content: 'lost?', ...challenge, captchaAnswer: '1' }
  const send = (path: string, body: BodyInit, headers = {}) =>
    fetch(`${site.origin}${path}`, { method: 'POST', body, headers })
  return Promise.all([
    send(`${thread.threads}/${thread.threadId}/comments`, toFormData(comment)),
    send(`${thread.threads}/${thread.threadId}/comments`, toFormData({ ...comment, image: picture })),
    send('/api/image-share', toFormData({ image: picture, expiryHours: '1' })),
    send('/api/paste', JSON.stringify({ content: 'text', expiryHours: 1 }), { 'content-type': 'application/json' }),
    send('/api/dtpchan/admin/login', JSON.stringify({ email: 'admin@example.org', password: 'administrator' }), {
      'content-type': 'application/json',
    }),
  ])
}

test('without its database it shows what it has in memory, plays on and refuses writing; then all is as before', async () => {
  const comments = `${thread.threads}/${thread.threadId}/comments`
  const page = `/dtpchan/board/${thread.threads.split('/')[4]}/thread/${thread.threadId}`
  const pages = ['/', '/dtpchan', `/dtpchan/board/${thread.threads.split('/')[4]}`, page, '/programs-we-love']
  const before = await Promise.all(pages.map(read))
  expect(before.map(({ status }) => status)).toEqual(pages.map(() => 200))
  const { comment: first } = await postForm(site.origin, comments, { content: 'before the outage' })
  const seen = await read(page)
  expect(seen.text).toContain('before the outage')
  const live = await hear('0')
  const seenEvent = await live.next()
  expect(seenEvent.event.post?.view.id).toBe(first.id)
  const challenge = await readJson(await fetch(`${site.origin}/api/dtpchan/captcha`, { method: 'POST' }))
  const sound = await fetch(`${site.origin}/radio/1/stream`)
  const player = sound.body?.getReader()
  await player?.read()

  proxy.disconnect()
  await expect.poll(async () => (await read('/readyz')).status).toBe(503)
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(pages.map(read))
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect(answers[pages.indexOf(page)]?.text).toBe(seen.text)
  }
  expect(await read('/today-in-tech?source=none')).toMatchObject({ status: 503, retryAfter: '5' })
  expect(await read(`${thread.threads}/${thread.threadId}`)).toMatchObject({ status: 503, retryAfter: '5' })
  for (const answer of await writings(challenge)) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toEqual({ success: false, error: UNAVAILABLE })
  }
  expect((await read('/healthz')).status).toBe(200)
  expect(await numbered('site_database_up')).toBe(0)
  expect(await read('/api/radio/nowplaying/1')).toMatchObject({ status: 200 })
  expect((await player?.read())?.value?.length).toBeGreaterThan(0)
  const { comment: missed } = await postForm(neighbour.origin, comments, { content: 'meanwhile next door' })

  proxy.restore()
  await expect.poll(async () => (await read('/readyz')).status).toBe(200)
  expect(await numbered('site_database_up')).toBe(1)
  // When notifications work again, the server closes event connections. Clients reconnect and get missed events.
  await live.ended
  const back = await hear(seenEvent.id)
  expect((await back.next()).event.post?.view.id).toBe(missed.id)
  await expect.poll(async () => (await read(page)).text).toContain('meanwhile next door')
  const { comment: last } = await postForm(site.origin, comments, { content: 'after it' })
  expect((await back.next()).event.post?.view.id).toBe(last.id)
  expect((await player?.read())?.value?.length).toBeGreaterThan(0)
  await player?.cancel()
  const { thread: there } = await readJson(await fetch(`${neighbour.origin}${thread.threads}/${thread.threadId}`))
  expect(there.comments.map(({ content }: { content: string }) => content)).toEqual([
    'before the outage',
    'meanwhile next door',
    'after it',
  ])
})
