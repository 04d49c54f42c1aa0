import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { type EventConnection, openEventConnection } from '#tests/helpers/eventConnection.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const WRITERS = 12

let place: TestDatabase
let sites: [SiteProcess, SiteProcess]
let thread: { threads: string; threadId: number }
const open: EventConnection[] = []

beforeAll(async () => {
  place = await testDatabase()
  const env = { THREAD_POST_LIMIT: '100000' }
  sites = await Promise.all([spawnSite(place, env), spawnSite(place, env)])
  thread = await createBoardWithThread(sites[0].origin, 'Processes')
})
afterAll(async () => {
  for (const connection of open) connection.close()
  expect(await Promise.all(sites.map((site) => site.stop()))).toEqual([0, 0])
  await place.cleanup()
})

const connect = async (origin: string, lastEventId: string) => {
  const connection = await openEventConnection(origin, [`thread:${thread.threadId}`], lastEventId)
  open.push(connection)
  return connection
}
const comments = () => `${thread.threads}/${thread.threadId}/comments`
const readThread = async (site: SiteProcess) =>
  (await readJson(await fetch(`${site.origin}${thread.threads}/${thread.threadId}`))).thread

test('sends a post through one process to listeners of the other', async () => {
  const page = await connect(sites[1].origin, '0')
  const started = Date.now()
  const { comment } = await postForm(sites[0].origin, comments(), { content: 'from next door' })
  expect((await page.next()).event.post?.view).toMatchObject({ id: comment.id, content: 'from next door' })
  expect(Date.now() - started).toBeLessThan(20_000)
})

test('shows writes through one process in pages cached by the other', async () => {
  const path = `${thread.threads.replace('/api/dtpchan/boards', '/dtpchan/board').replace(/\/threads$/, '')}/thread/${thread.threadId}`
  const read = async () => (await fetch(`${sites[1].origin}${path}`)).text()
  for (const words of ['seen from afar', 'and seen again']) {
    expect(await read()).not.toContain(words)
    await postForm(sites[0].origin, comments(), { content: words })
    await expect.poll(read).toContain(words)
  }
})

test('all connections ended under load: no acknowledged post is lost', async () => {
  const killer = postgres(place.databaseUrl ?? '', { max: 1 })
  const page = await connect(sites[1].origin, '0')
  const acknowledged: number[] = []
  let ended = false
  const write = async (writer: number) => {
    while (!ended) {
      const site = sites[writer % 2] as SiteProcess
      // Ignores failures: without a database, the server refuses the form or its captcha.
      const answer = await postForm(site.origin, comments(), { content: `by ${writer}` }).catch(() => ({}))
      if (answer.success) acknowledged.push(answer.comment.id)
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  for (let round = 1; round <= 6; round++) {
    await expect.poll(() => acknowledged.length).toBeGreaterThan(round * WRITERS)
    await killer`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  }
  await expect.poll(() => acknowledged.length).toBeGreaterThan(8 * WRITERS)
  ended = true
  await Promise.all(writers)
  await killer.end()

  const { comments: there, commentCount } = await readThread(sites[0])
  const ids = new Set(there.map(({ id }: { id: number }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect(commentCount).toBe(there.length)

  // The server closes event connections when it loses the database. Clients reconnect and miss no event.
  await page.ended
  const back = await connect(sites[1].origin, '0')
  const { comment } = await postForm(sites[0].origin, comments(), { content: 'after all that' })
  const told = new Set<number | undefined>()
  while (!told.has(comment.id)) told.add((await back.next()).event.post?.view.id)
  expect(acknowledged.filter((id) => !told.has(id))).toEqual([])
})

test('completes both of two transactions that wait for each other', async () => {
  const own = await testDatabase()
  const { db, close } = await openDatabase(own)
  await db.execute(sql`insert into job (name, started_at) values ('a', now()), ('b', now())`)
  const take = (name: string) => sql`update job set started_at = now() where name = ${name}`
  let begun = 0
  const bothBegun = createDeferred()
  const crossing = (first: string, second: string) =>
    db.transaction(async (tx) => {
      await tx.execute(take(first))
      if (++begun === 2) bothBegun.resolve()
      await bothBegun.promise
      await tx.execute(take(second))
    })
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
  // The repeated one can meet the other again.
  expect(begun).toBeGreaterThanOrEqual(3)
  await close()
  await own.cleanup()
})
