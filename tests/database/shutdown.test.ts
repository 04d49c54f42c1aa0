import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { FORM_TYPE, fieldPart, filePart, formBody } from '#tests/helpers/multipart.ts'
import { encodeHead } from '#tests/helpers/rawHttp.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const WITHIN_MS = 30_000
/** id of the advisory lock that migrations take on PostgreSQL */
const MIGRATION_LOCK = 4_217_001_955

/** Runs on one database on a push, because what a server does at its end does not depend on the kind of database. */
const httpTest = test.runIf(isDeep || inject('database') === 'postgres')

let place: TestDatabase
beforeAll(async () => {
  place = await testDatabase()
})
afterAll(() => place.cleanup())

const portOf = (origin: string) => Number(new URL(origin).port)

/** Returns everything received on a connection until it ends. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', (error) => chunks.push(Buffer.from(`\n${error.message}`)))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sends a request with keep-alive on a new connection. */
function request(
  origin: string,
  path: string,
  agent?: Agent,
): Promise<{ answer: IncomingMessage; body: Promise<string> }> {
  return new Promise((resolve, reject) => {
    get(`${origin}${path}`, { agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      const body = once(answer, 'close').then(() => Buffer.concat(chunks).toString())
      resolve({ answer, body })
    }).on('error', reject)
  })
}

/** Resolves when the site refuses new connections. */
const expectPortClosed = (origin: string) =>
  expect
    .poll(async () => {
      const socket = connect(portOf(origin), '127.0.0.1')
      const [refused] = await Promise.race([once(socket, 'connect').then(() => [null]), once(socket, 'error')]).catch(
        (error) => [error],
      )
      socket.destroy()
      return refused?.code ?? 'open'
    })
    .toBe('ECONNREFUSED')

/** Locks the board and thread tables, so that their queries wait. */
async function lockDatabase(): Promise<() => Promise<void>> {
  const { db, close } = await openDatabase({ ...place, mode: 'command' })
  const [locked, released] = [createDeferred(), createDeferred()]
  const done = db.transaction(async (tx) => {
    await tx.execute(sql`lock table board, thread in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await done
    await close()
  }
}

test('finishes running requests, ends streams and exits with 0 after SIGTERM', async () => {
  const site = await spawnSite(place, { LOG_LEVEL: 'info' })
  const { origin } = site
  const { threads, threadId } = await createBoardWithThread(origin, 'Shutdown')
  const page = `/dtpchan/board/${threads.split('/')[4]}/thread/${threadId}`

  const live = await openEventConnection(origin, [`thread:${threadId}`])
  const sound = await request(origin, '/radio/1/stream')
  const idle = new Agent({ keepAlive: true })
  await (await request(origin, '/healthz', idle)).body
  const picture = await stillImage(300, 200).png().toBuffer()
  const form = formBody(fieldPart('expiryHours', '1'), filePart('image', 'a.png', 'image/png', picture))
  const upload = connect(portOf(origin), '127.0.0.1')
  const uploaded = received(upload)
  upload.write(encodeHead('POST', '/api/image-share', [`Content-Type: ${FORM_TYPE}`, `Content-Length: ${form.length}`]))
  upload.write(form.subarray(0, form.length - 1000))
  await expect.poll(async () => (await fetch(`${origin}/metrics`)).text()).toMatch(/^site_upload_bytes [1-9]/m)
  const release = await lockDatabase()
  const rendered = request(origin, page)
  const called = request(origin, threads)
  // The server answered this later request, so it has received the others.
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)

  const begun = performance.now()
  const ended = site.stop()
  // Event and audio connections end immediately, before the server cuts off stuck requests.
  await live.ended
  await sound.body
  await expectPortClosed(origin)
  // A second signal has no effect.
  void site.stop()
  await release()
  upload.write(form.subarray(form.length - 1000))
  for (const { answer, body } of await Promise.all([rendered, called])) {
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
    expect(await body).toContain('Under load')
    expect(answer.complete).toBe(true)
  }
  expect(await uploaded).toMatch(/^HTTP\/1\.1 200 OK\r\n(.|\s)*"success":true/)
  expect(await ended).toBe(0)
  expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
  for (const level of [40, 50, 60]) expect(site.output()).not.toContain(`"level":${level},`)

  const again = await spawnSite(place)
  const { url, imageUrl } = JSON.parse((await uploaded).split('\r\n\r\n').at(-1) ?? '')
  for (const address of [`/api${new URL(url).pathname}`, new URL(imageUrl).pathname]) {
    expect((await fetch(`${again.origin}${address}`)).status).toBe(200)
  }
  expect(await again.stop()).toBe(0)
})

// Runs with PGlite only, because this slow test does not depend on the database.
test.runIf(isDeep && inject('database') === 'pglite')(
  'exits although a client has stopped sending in the middle of a request',
  async () => {
    const site = await spawnSite(place)
    const stuck = [
      encodeHead('POST', '/api/image-share', [`Content-Type: ${FORM_TYPE}`, 'Content-Length: 5000']),
      encodeHead('POST', '/api/paste', ['Content-Type: application/json', 'Content-Length: 5000']),
      'GET / HT',
      '',
    ].map((bytes) => {
      const socket = connect(portOf(site.origin), '127.0.0.1')
      socket.write(bytes)
      return { connected: once(socket, 'connect'), ended: received(socket) }
    })
    await Promise.all(stuck.map(({ connected }) => connected))
    expect((await fetch(`${site.origin}/healthz`)).status).toBe(200)
    const begun = performance.now()
    expect(await site.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
    await Promise.all(stuck.map(({ ended }) => ended))
  },
)

httpTest('reports not ready but still answers during the shutdown', async () => {
  const site = await spawnSite(place)
  const busy = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (path: string) => {
    const { answer, body } = await request(site.origin, path, busy)
    return { status: answer.statusCode, connection: answer.headers.connection, body: await body }
  }
  expect(await ask('/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  const ended = site.stop()
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (;;) {
    const answer = await ask('/readyz').catch(() => null)
    if (!answer) break
    answers.push(answer)
  }
  expect(await ended).toBe(0)
  expect(answers.at(-1)).toEqual({
    status: 503,
    connection: 'close',
    body: '{"status":"closing","cause":"the site is closing"}',
  })
})

httpTest('serves cached pages with Connection: close during the shutdown, and waits for further requests', async () => {
  const site = await spawnSite(place)
  const busy = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async () => {
    const { answer, body } = await request(site.origin, '/about', busy)
    expect(await body).toContain('</html>')
    return answer.headers.connection
  }
  for (let index = 0; index < 3; index++) expect(await ask()).toBe('keep-alive')
  const ended = site.stop()
  const told: unknown[] = []
  for (;;) {
    const connection = await ask().catch(() => null)
    if (connection === null) break
    told.push(connection)
  }
  // The server waits until no requests arrive for 100 ms. Each request of this test extends the wait.
  expect(told.slice(told.indexOf('close')).every((connection) => connection === 'close')).toBe(true)
  expect(told).toContain('close')
  expect(await ended).toBe(0)
})

httpTest('npm start exits with 0 after SIGTERM and leaves no process', async () => {
  const site = await spawnSite(place, { LOG_LEVEL: 'info' }, undefined, ['npm', 'start'])
  const pid = Number(/"pid":(\d+)/.exec(site.output())?.[1])
  expect(process.kill(pid, 0)).toBe(true)
  expect(await site.stop()).toBe(0)
  const kill = () => process.kill(pid, 'SIGKILL')
  expect(kill).toThrow('ESRCH')
})

/** Starts a site and sends SIGTERM when `when` resolves. Returns the exit code or the start error. */
async function stopEarly(where: Parameters<typeof spawnSite>[0], when: () => Promise<unknown>): Promise<string> {
  let stopped = Promise.resolve()
  const starting = spawnSite(where, {}, (child) => {
    stopped = when().then(() => void child.kill('SIGTERM'))
  })
  const outcome = await starting.then(
    (site) => site.stop(),
    (error: Error) => error.message,
  )
  await stopped
  return String(outcome)
}

test.runIf(isDeep)('exits cleanly on SIGTERM while the database is being prepared', async () => {
  if (inject('database') === 'pglite') {
    const dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
    const made = () => expect.poll(() => access(join(dataDir, 'db.partial')), { interval: 5 }).toBeUndefined()
    expect(await stopEarly({ dataDir }, made)).toMatch(/^(The site exited with 0: |0$)/)
    const site: SiteProcess = await spawnSite({ dataDir })
    expect((await fetch(`${site.origin}/readyz`)).status).toBe(200)
    expect(await readJson(await fetch(`${site.origin}/api/dtpchan/boards`))).toMatchObject({ boards: [] })
    expect(await site.stop()).toBe(0)
    await rm(dataDir, { recursive: true })
  } else {
    const other = postgres(place.databaseUrl ?? '', { max: 1 })
    await other`select pg_advisory_lock(${MIGRATION_LOCK})`
    const waiting = () =>
      expect
        .poll(async () => (await other`select 1 from pg_locks where locktype = 'advisory' and not granted`).length)
        .toBe(1)
    expect(await stopEarly(place, waiting)).toMatch(/^The site exited with 0: /)
    await other.end()
  }
})
