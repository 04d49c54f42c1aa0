import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { originEpoch } from '#db/schema/index.ts'
import { endOriginEpochs } from '#server/features/moderation/origins/epochs.ts'
import { callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { findTraces, includesBytes, type Loot, stealSite } from '#tests/helpers/thief.ts'
import { createPng, createVisitor } from '#tests/helpers/visitor.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const POSTER = '203.0.113.77'
const BANNED = '198.51.100.99'
const POSTED_AT = new Date('2026-11-21T12:00:00Z')
/** The thief reads all files of a database, three times per test. */
vi.setConfig({ testTimeout: 240_000 })

const isEmbedded = inject('database') === 'pglite'

let site: TestSite
let token: string
beforeEach(async () => {
  site = await startSite({ RATE_LIMIT: 'on' })
  site.setNow(POSTED_AT)
  token = await site.createToken('admin@example.org', 'admin')
})
afterEach(() => site.close())

let copies = 0
const steal = (): Promise<Loot> =>
  stealSite(
    { dataDir: site.dataDir, databaseUrl: site.databaseUrl, secretKey: site.secret },
    join(site.dataDir, `../thief-${process.pid}-${++copies}.tgz`),
  )

const tracesOf = (loot: Loot, address: string) =>
  findTraces(loot, { secret: site.secret, address, userAgent: 'lightMyRequest', day: POSTED_AT })

async function postEverything(address: string): Promise<string> {
  const visitor = createVisitor(site, address)
  const boardId = await createBoard(site, `From ${copies}`, token)
  const { thread } = (await visitor.postThread(boardId)).body
  await visitor.postComment(boardId, thread.id, { content: `>>${thread.id}` })
  await visitor.postComment(boardId, thread.id, { image: await createPng() })
  expect([(await visitor.createPaste()).status, (await visitor.shareImage()).status]).toEqual([200, 200])
  return String(thread.id)
}

async function endEpoch(): Promise<void> {
  site.setNow(new Date(POSTED_AT.getTime() + 14 * DAY_MS + 1000))
  await site.app.services.db.execute(sql`analyze`)
  await endOriginEpochs(site.app.services)
}

test.runIf(isDeep)(
  'a thief with the secret and an address learns that it posted only until the epoch ends',
  async () => {
    await postEverything(POSTER)
    const before = await steal()
    expect(tracesOf(before, POSTER)).toEqual(expect.arrayContaining(['host in dump', 'range in dump', 'post in dump']))
    if (isEmbedded)
      expect(tracesOf(before, POSTER)).toEqual(expect.arrayContaining(['host in folder', 'post in folder']))
    expect(tracesOf(before, POSTER).filter((trace) => trace.endsWith('backup'))).toEqual([])
    const [key] = before.keys
    await endEpoch()
    const after = await steal()
    expect(tracesOf({ ...after, keys: before.keys }, POSTER)).toEqual([])
    expect(after.keys).toEqual([])
    const places = [after.folder, after.dump, after.backup]
    expect(places.map((place) => includesBytes(place, key ?? Buffer.from('')))).toEqual([false, false, false])
  },
)

test.skipIf(isEmbedded && !isDeep)('a ban keeps the key of an ended epoch, but not the origins of others', async () => {
  await postEverything(POSTER)
  const itemId = await postEverything(BANNED)
  const endsAt = new Date(POSTED_AT.getTime() + 100 * DAY_MS)
  const json = { kind: 'post', itemId, boardId: null, width: 'host', reason: 'Spam', endsAt }
  expect((await callApi(site, 'POST', '/api/moderation/bans', { json, token })).status).toBe(200)
  expect(tracesOf(await steal(), POSTER)).toEqual(expect.arrayContaining(['host in dump']))
  await endEpoch()
  const after = await steal()
  expect(after.keys).toHaveLength(1)
  expect(tracesOf(after, BANNED)).toEqual(expect.arrayContaining(['host in dump', 'host in backup']))
  expect(tracesOf(after, POSTER)).toEqual([])
  site.setNow(new Date(endsAt.getTime() + 1000))
  await endOriginEpochs(site.app.services)
  const last = await steal()
  expect(last.keys).toEqual([])
  expect(tracesOf({ ...last, keys: after.keys }, BANNED)).toEqual([])
})

test.skipIf(isEmbedded && !isDeep)('ending an epoch keeps the origins of the current epoch', async () => {
  await postEverything(POSTER)
  site.setNow(new Date(POSTED_AT.getTime() + 14 * DAY_MS + 1000))
  await postEverything(BANNED)
  await endOriginEpochs(site.app.services)
  const loot = await steal()
  expect(loot.keys).toHaveLength(1)
  expect(tracesOf(loot, BANNED)).toEqual(expect.arrayContaining(['host in dump']))
  expect(await site.app.services.db.$count(originEpoch)).toBe(1)
})
