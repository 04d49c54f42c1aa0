import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PGlite } from '@electric-sql/pglite'
import { eq, sql as statement } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { serveClient } from '#db/embedded/clientConnection.server.ts'
import { createMessageReader, createPartReader } from '#db/embedded/protocol.server.ts'
import { type Part, SessionMultiplexer } from '#db/embedded/sessionMultiplexer.server.ts'
import { allowance, board } from '#db/schema/index.ts'
import { takeTokens } from '#server/core/limits/tokenBuckets.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

const row = (key: string) => ({ key, fullAt: 0 })

/** Returns a message of PostgreSQL's protocol. @param type empty for the first message of a client */
function message(type: string, body = ''): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(body, 'latin1') + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')])
}
const STARTUP = message('', '\0\x03\0\0user\0postgres\0\0')

describe(`a database (${inject('database')})`, () => {
  let database: TestDatabase
  let handle: DatabaseHandle

  beforeAll(async () => {
    database = await testDatabase()
    handle = await openDatabase(database)
  })
  afterAll(async () => {
    await handle?.close()
    await database?.cleanup()
  })

  it.runIf(process.platform === 'linux' && inject('database') === 'pglite')(
    'runs the embedded database with a lower priority than the site',
    async () => {
      // The 19th field is the nice value; the second, the name, may contain spaces.
      const nices = (await readdir('/proc/self/task')).map((thread) =>
        Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16]),
      )
      expect(Math.max(...nices)).toBe(getPriority() + 5)
    },
  )

  it('returns stored values', async () => {
    const createdAt = new Date('2026-01-02T03:04:05.678Z')
    const values = { id: 'b', name: 'B', description: 'ünï', rules: 'Be kind', position: 3, createdAt }
    await handle.db.insert(board).values(values)
    const [found] = await handle.db.select().from(board).where(eq(board.id, 'b'))
    expect(found).toEqual({
      ...values,
      ...{ threadLimit: 0, posterLabels: false, defaultName: '', latestReplies: 1, deletedAt: null },
    })
  })

  it.runIf(inject('database') === 'pglite')('plans statements again when their tables have grown', async () => {
    const { sql } = handle
    // As the first run of the job `tidy` leaves the tables of a new site.
    for (const table of ['post', 'thread']) await sql.unsafe(`vacuum ${table}`)
    await sql`insert into board (id, name, description, position, created_at) values ('grown', 'G', '', 1, now())`
    await sql`insert into thread (id, board_id, title, last_activity, changed_at) values (1, 'grown', '', now(), now())`
    const insert = (on: Pick<typeof sql, 'unsafe'>, first: number, last: number) =>
      on.unsafe(`insert into post (id, thread_id, author, content, created_at)
        select n, 1, 'me', 'platypus', now() from generate_series(${first}, ${last}) n`)
    for (let id = 1; id <= 20; id++) await insert(sql, id, id)
    for (let id = 21; id <= 2000; id += 50) await insert(sql, id, id + 49)
    // Begins a new file of the log.
    await sql`select pg_logical_emit_message(false, 'filler', repeat('x', 17000000))`
    const scans = await sql.begin(async (tx) => {
      const count = async () => {
        const [row] = await tx`select seq_scan::int as count from pg_stat_xact_user_tables where relname = 'post'`
        return row?.count
      }
      const before = await count()
      await insert(tx, 3000, 3000)
      return (await count()) - before
    })
    expect(scans).toBe(0)
  })

  it.runIf(inject('database') === 'pglite')(
    'reads few rows for a post and for limits while tables are small',
    async () => {
      const { db, sql } = handle
      await sql`insert into board (id, name, description, position, created_at) values ('small', 'S', '', 2, now())`
      await sql`insert into thread (id, board_id, title, last_activity, changed_at) values (2, 'small', '', now(), now())`
      const insert = (tx: Pick<typeof db, 'execute'>, id: number) =>
        tx.execute(statement`insert into post (id, thread_id, author, content, created_at)
        values (${id}, 2, 'me', 'platypus', now())`)
      const take = (tx: Pick<typeof db, 'execute'>, key: string) =>
        takeTokens(tx as typeof db, new Date(), [{ key, costMs: 1, capacityMs: 1000 }])
      for (let id = 10_000; id < 10_300; id++) {
        await insert(db, id)
        await take(db, `visitor ${id}`)
      }
      const read = await db.transaction(async (tx) => {
        const count = async () => {
          const [row] = await tx.execute<{
            read: number
          }>(statement`select sum(seq_tup_read + idx_tup_fetch)::int as read
            from pg_stat_xact_user_tables where relname in ('post', 'allowance')`)
          return row?.read ?? Number.NaN
        }
        const before = await count()
        await insert(tx, 10_300)
        await take(tx, 'visitor 10200')
        return (await count()) - before
      })
      expect(read).toBeLessThan(10)
    },
  )

  it('reports errors of the driver with their codes', async () => {
    await handle.db.insert(allowance).values(row('twice'))
    const error = await handle.sql`insert into allowance select * from allowance`.catch((error) => error)
    expect(error).toBeInstanceOf(postgres.PostgresError)
    expect(error.code).toBe('23505')
    await expect(handle.db.insert(allowance).values(row('twice'))).rejects.toMatchObject({ cause: { code: '23505' } })
  })

  it('never mixes the statements of connections, however large their values', async () => {
    const ask = async (client: number) => {
      for (let round = 0; round < 20; round++) {
        const text = `${client}`.repeat(client % 3 === 0 ? 100_000 : 3)
        const answers =
          client % 2
            ? await handle.db.execute(statement`select ${text}::text as text, ${client}::int as client`)
            : await handle.db.execute(statement`select ${client}::int as client, ${text}::text as text, 1 as even`)
        expect(answers[0]).toMatchObject({ client, text })
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, client) => ask(client)))
  })

  it('answers the queries of a connection in their order, also while commits wait for the disk', async () => {
    const ask = async (n: number) => {
      const key = `in order ${n}`
      const answers = await (n % 3 === 0
        ? handle.db.execute(statement`insert into allowance values (${key}, 0) returning key as text, ${n}::int as n`)
        : n % 3 === 1
          ? handle.db.execute(statement`select ${key}::text as text, ${n}::int as n`)
          : handle.db.transaction((tx) => tx.execute(statement`select ${n}::int as n, ${key}::text as text, 1 as one`)))
      expect(answers[0]).toMatchObject({ text: key, n })
    }
    await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n)))
  })

  it('keeps a failed statement and a failed transaction to themselves', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        handle.db.transaction(async (transaction) => {
          await transaction.insert(allowance).values(row(`own ${index}`))
          if (index % 2) await transaction.execute(statement`select 1 / ${0}::int`)
        }),
      ),
    )
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, index) => index % 2 === 0))
    const [{ count } = { count: 0 }] = await handle.sql`select count(*)::int from allowance where key like 'own %'`
    expect(count).toBe(15)
  })

  it('rolls back a transaction when its connection is lost', async () => {
    const other = postgres(database.databaseUrl ?? '', { path: await socketPath(database), max: 1 })
    const connection = await other.reserve()
    await connection`begin`
    await connection`insert into allowance values ('dropped', 0)`
    await other.end({ timeout: 0 })
    const insert = () => handle.db.insert(allowance).values(row('dropped'))
    await expect.poll(insert).toBeDefined()
  })

  it('receives notifications of all connections once', async () => {
    const heard: string[] = []
    const stop = handle.events.subscribe((payload) => heard.push(payload))
    const other = postgres(database.databaseUrl ?? '', { path: await socketPath(database), max: 1 })
    await handle.db.transaction((transaction) => transaction.execute(statement`select pg_notify('site', 'own')`))
    await expect.poll(() => heard).toEqual(['own'])
    await other.notify('site', 'otherš')
    await other.notify('elsewhere', 'not for us')
    await expect.poll(() => heard).toEqual(['own', 'otherš'])
    stop()
    await other.notify('site', 'late')
    await other.end()
    expect(heard).toEqual(['own', 'otherš'])
  })

  it('refuses data made by a newer version', async () => {
    const newer = await testDatabase()
    const first = await openDatabase(newer)
    await first.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`
    await first.close()
    await expect(openDatabase(newer)).rejects.toThrow('The data was made by a newer version of this program')
    await newer.cleanup()
  })
})

describe('messages of the database', () => {
  it('are found wherever the stream is split', () => {
    const stream = Buffer.concat([
      message('D', 'A row that looks like A message'),
      message('A', '\0\0\0*site\0hello\0'),
      message('E', 'SERROR\0VERROR\0'),
      message('Z', 'I'),
    ])
    for (let size = 1; size <= stream.length; size++) {
      const found: string[] = []
      const read = createMessageReader((type, body) => found.push(`${String.fromCharCode(type)} ${body}`))
      for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size))
      expect(found).toEqual(['D ', 'A \0\0\0*site\0hello\0', 'E SERROR\0VERROR\0', 'Z I'])
    }
  })
})

describe('messages of a client', () => {
  it('are passed on up to the end of a query, or as far as they have arrived', () => {
    const start = [message('', '\x04\xd2\x16\x2f'), message('', '\0\x03\0\0user\0me\0\0')]
    const queries = [
      [message('P', 'S'), message('D'), message('H')],
      [message('B', 'a value with Q and S'), message('E'), message('S')],
      [message('Q', 'select 1')],
      [message('X')],
    ]
    const stream = Buffer.concat([...start, ...queries.flat()])
    for (let size = 1; size <= stream.length; size++) {
      const parts: { text: string; type: number }[] = []
      const read = createPartReader((part, type) => parts.push({ text: part.toString('latin1'), type }))
      for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size))
      expect(parts.map(({ text }) => text).join('')).toBe(stream.toString('latin1'))
      expect(parts.slice(0, 2)).toEqual(start.map((part, at) => ({ text: part.toString('latin1'), type: at - 1 })))
      for (const type of 'SQX') expect(parts.filter((part) => part.type === type.charCodeAt(0))).toHaveLength(1)
      if (size === stream.length) {
        const whole = [...start, Buffer.concat(queries.slice(0, 2).flat()), ...queries.slice(2).flat()]
        expect(parts.map(({ text }) => text)).toEqual(whole.map((part) => part.toString('latin1')))
      }
    }
  })
})

describe('a connection', () => {
  it('reads no further while its client does not take the answers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
    const path = join(folder, 'test.sock')
    const parts: Part[] = []
    const server = createServer((socket) =>
      serveClient(socket, { enqueue: (part) => parts.push(part), leave: async () => {} }),
    )
    await once(server.listen(path), 'listening')
    const client = connect(path)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const queries = 1000
    client.write(Buffer.concat([STARTUP, ...Array(queries).fill(message('Q', 'x'.repeat(30_000)))]))
    await expect.poll(() => socket.isPaused()).toBe(true)
    expect(parts.length).toBeLessThan(queries / 2)
    for (let answered = 0; answered <= queries; answered++) {
      await expect.poll(() => parts[answered]).toBeDefined()
      parts[answered]?.client.receive([Buffer.from('answer')])
    }
    client.destroy()
    server.close()
    await rm(folder, { recursive: true })
  })
})

describe('the multiplexed session', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const ready = Uint8Array.from(Buffer.from('Z\0\0\0\x05T', 'latin1'))
  const query = { messages: Uint8Array.from(Buffer.from('Q\0\0\0\x05', 'latin1')), type: 'Q'.charCodeAt(0) }

  /** @param onMessage called for each message @param isInTransaction asked after each message */
  function openSessions(onMessage: (message: Uint8Array) => void, isInTransaction: () => boolean) {
    let last: Promise<unknown> = Promise.resolve()
    const database = {
      runExclusive: (run: () => unknown) => {
        last = last.then(run)
        // As in PGlite, the next one may run before the caller knows that its own is over.
        return last.then((result) => result)
      },
      isInTransaction,
      execProtocolRawStream: async (message: Uint8Array, { onRawData }: { onRawData: (data: Uint8Array) => void }) => {
        // Longer than the steps of another client until it waits for the database.
        for (let step = 0; step < 20; step++) await null
        onMessage(message)
        onRawData(ready)
      },
    }
    const onFatal = (error: Error): never => {
      throw error
    }
    return new SessionMultiplexer(database as unknown as PGlite, {
      log: { synced: () => null },
      timer: { start: () => {}, stop: () => {} },
      checkpoints: { getDue: () => null, restart: () => {} },
      onNotification: () => {},
      onFatal,
    })
  }

  it('is taken from a client that stalls in its transaction', async () => {
    vi.useFakeTimers()
    let inTransaction = true
    const sessions = openSessions(
      (message) => {
        if (message.length > 5) inTransaction = false
      },
      () => inTransaction,
    )
    const createClient = () => {
      const client = { receive: vi.fn(), close: vi.fn(() => void sessions.leave(client)) }
      return client
    }
    const [stalled, waiting] = [createClient(), createClient()]
    sessions.enqueue({ client: stalled, ...query })
    await vi.waitFor(() => expect(stalled.receive).toHaveBeenCalledOnce())
    sessions.enqueue({ client: waiting, ...query })
    await vi.advanceTimersByTimeAsync(9_900)
    expect(stalled.close).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(stalled.close).toHaveBeenCalledOnce()
    expect(waiting.receive).toHaveBeenCalledExactlyOnceWith([Buffer.from(ready)])
    expect(waiting.close).not.toHaveBeenCalled()
  })

  it('stays with its next client when the earlier one leaves at the end of its query', async () => {
    let inTransaction = false
    const sent: string[] = []
    const sessions = openSessions(
      (part) => {
        const text = Buffer.from(part).toString('latin1', 5)
        if (text) sent.push(text)
        if (text === 'first') void sessions.leave(first)
        if (text === 'begin') inTransaction = true
        if (text === 'end') inTransaction = false
      },
      () => inTransaction,
    )
    const createClient = () => ({ receive: vi.fn(), close: vi.fn() })
    const [first, second, third] = [createClient(), createClient(), createClient()]
    const send = (client: ReturnType<typeof createClient>, text: string) =>
      sessions.enqueue({ client, messages: message('Q', text), type: query.type })
    send(first, 'first')
    send(second, 'begin')
    await expect.poll(() => second.receive).toHaveBeenCalledOnce()
    send(third, 'third')
    send(second, 'end')
    await expect.poll(() => third.receive).toHaveBeenCalledOnce()
    expect(sent).toEqual(['first', 'begin', 'end', 'third'])
  })

  it('serves the site first for a moment after a command kept it waiting', async () => {
    vi.useFakeTimers()
    const durations = [30]
    const sessions = openSessions(
      () => vi.advanceTimersByTime(durations.shift() ?? 0),
      () => false,
    )
    const answered: string[] = []
    const createClient = (name: string, timeoutMs?: number) => ({
      timeoutMs,
      receive: () => void answered.push(name),
      close: () => {},
    })
    const [command, site] = [createClient('command'), createClient('site', 20_000)]
    for (const client of [command, command, site]) sessions.enqueue({ client, ...query })
    await vi.advanceTimersByTimeAsync(10)
    expect(answered).toEqual(['command', 'site'])
    sessions.enqueue({ client: site, ...query })
    await vi.advanceTimersByTimeAsync(10)
    expect(answered).toEqual(['command', 'site', 'site'])
    await vi.advanceTimersByTimeAsync(30)
    expect(answered).toEqual(['command', 'site', 'site', 'command'])
  })
})

describe.runIf(inject('database') === 'postgres')('PostgreSQL', () => {
  it('logs one line without the password when it cannot connect', async () => {
    const databaseUrl = 'postgres://someone:hunter2@127.0.0.1:1/nothing'
    await expect(openDatabase({ databaseUrl, dataDir: tmpdir() })).rejects.toThrow(
      /^Cannot connect to the database at 127\.0\.0\.1:1: connection refused$/,
    )
  })

  it('reports the loss and the return of its listening connection', async () => {
    const database = await testDatabase()
    const handle = await openDatabase(database)
    const lost = vi.fn()
    const heard: string[] = []
    handle.events.onReconnect(lost)
    handle.events.subscribe((payload) => heard.push(payload))
    expect(lost).not.toHaveBeenCalled()
    await handle.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`
    await expect.poll(() => lost).toHaveBeenCalledOnce()
    await handle.sql.notify('site', 'again')
    await expect.poll(() => heard).toEqual(['again'])
    await handle.close()
    await database.cleanup()
  })

  it('is migrated once by replicas that start together', async () => {
    const database = await testDatabase()
    const sql = postgres(database.databaseUrl ?? '', { onnotice: () => {} })
    await sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public')
    await sql.end()
    const replicas = await Promise.all([1, 2, 3].map(() => openDatabase(database)))
    expect(await replicas[0]?.db.select().from(board)).toEqual([])
    await Promise.all(replicas.map((replica) => replica.close()))
    await database.cleanup()
  })
})

describe.runIf(inject('database') === 'pglite')('the embedded database', () => {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })

  async function newFolder(): Promise<string> {
    const database = await testDatabase()
    cleanups.push(database.cleanup)
    return database.dataDir
  }

  async function open(options: Parameters<typeof openDatabase>[0]): Promise<DatabaseHandle> {
    const handle = await openDatabase(options)
    cleanups.push(() => handle.close())
    return handle
  }

  function start(dataDir: string, task: 'hold' | 'insert'): { child: ChildProcess; lines: string[] } {
    const lines: string[] = []
    const child = spawn(process.execPath, [...programArgs('databaseProcess'), dataDir, task])
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    cleanups.push(async () => {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close')
    })
    return { child, lines }
  }

  it('allows one site per folder, with a private socket that disappears with it', async () => {
    const dataDir = await newFolder()
    const site = await openDatabase({ dataDir })
    const path = await socketPath({ dataDir })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(openDatabase({ dataDir })).rejects.toThrow(`another site is already running on ${dataDir}`)
    await site.close()
    expect(await readdir(dataDir)).toEqual(['db'])
    await open({ dataDir })
  })

  it('lets a command join the site, which receives its notifications', async () => {
    const dataDir = await newFolder()
    const site = await open({ dataDir })
    const heard: string[] = []
    site.events.subscribe((payload) => heard.push(payload))
    const command = await openDatabase({ dataDir, mode: 'command' })
    await command.db.insert(allowance).values(row('from a command'))
    await command.sql.notify('site', 'from a command')
    await command.close()
    await expect.poll(() => heard).toEqual(['from a command'])
    expect(await site.db.select().from(allowance)).toHaveLength(1)
  })

  it.each([
    ['PGSSL', 'require'],
    ['PGTARGETSESSIONATTRS', 'standby'],
  ])('is opened where %s is set for another program', async (name, value) => {
    vi.stubEnv(name, value)
    cleanups.push(vi.unstubAllEnvs)
    const site = await open({ dataDir: await newFolder() })
    expect(await site.db.select().from(allowance)).toHaveLength(0)
  })

  it('opens the folder for a command when no site runs', async () => {
    const dataDir = await newFolder()
    const command = await openDatabase({ dataDir, mode: 'command' })
    await command.db.insert(allowance).values(row('alone'))
    await command.close()
    const site = await open({ dataDir })
    expect(await site.db.select().from(allowance)).toHaveLength(1)
  })

  it.runIf(isDeep)(
    'replaces the socket of a killed site, and lets one of several simultaneous starts win',
    async () => {
      const dataDir = await newFolder()
      const first = start(dataDir, 'hold')
      await expect.poll(() => first.lines).toEqual(['ready'])
      first.child.kill('SIGKILL')
      await once(first.child, 'close')
      expect((await readdir(dataDir)).filter((name) => name.endsWith('.sock'))).toHaveLength(1)

      const rivals = Array.from({ length: 4 }, () => start(dataDir, 'hold'))
      await expect.poll(() => rivals.every(({ lines }) => lines.length > 0), { timeout: 60_000 }).toBe(true)
      const refusal = `Cannot start: another site is already running on ${dataDir}. Stop it or set another DATA_DIR`
      expect(rivals.flatMap(({ lines }) => lines).sort()).toEqual([refusal, refusal, refusal, 'ready'])
    },
  )

  it('loses no acknowledged row when it is killed', async () => {
    const dataDir = await newFolder()
    const { child, lines } = start(dataDir, 'insert')
    await expect.poll(() => lines.length, { interval: 5 }).toBeGreaterThan(300)
    child.kill('SIGKILL')
    await once(child, 'close')
    const site = await open({ dataDir })
    const [{ count } = { count: 0 }] = await site.sql`select count(*)::int from allowance`
    expect(count).toBeGreaterThanOrEqual(Number(lines.at(-1)))
    expect(count).toBeLessThanOrEqual(Number(lines.at(-1)) + 1)
  })

  it.runIf(isDeep)('creates a new database where a previous creation was interrupted', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }))
    await mkdir(join(dataDir, 'db.partial'))
    await writeFile(join(dataDir, 'db.partial', 'PG_VERSION'), '18\n')
    const site = await open({ dataDir })
    expect(await site.db.select().from(board)).toEqual([])
    expect(existsSync(join(dataDir, 'db.partial'))).toBe(false)
  })

  it.runIf(isDeep)('uses another folder for its socket when the path is too long', async () => {
    const folder = await newFolder()
    const dataDir = join(folder, 'a'.repeat(60), randomBytes(20).toString('hex'))
    await mkdir(dataDir, { recursive: true })
    await rename(join(folder, 'db'), join(dataDir, 'db'))
    await open({ dataDir })
    expect(await readdir(dataDir)).toEqual(['db'])
    await expect(openDatabase({ dataDir })).rejects.toThrow('another site is already running')
    const command = await openDatabase({ dataDir, mode: 'command' })
    expect(await command.db.select().from(board)).toEqual([])
    await command.close()
  })

  it('notifies its owner when it dies', async () => {
    const dataDir = await newFolder()
    const onCrash = vi.fn()
    const site = await openDatabase({ dataDir, onCrash })
    await rm(join(dataDir, 'db', 'global', 'pg_control'))
    await site.sql`checkpoint`.catch(() => {})
    await expect.poll(() => onCrash).toHaveBeenCalledOnce()
    expect(onCrash.mock.calls[0]?.[0].message).toMatch(/^The embedded database stopped: .*pg_control/)
    await site.close()
  })

  it('goes on after clients that break the protocol', async () => {
    const dataDir = await newFolder()
    const onCrash = vi.fn()
    const site = await open({ dataDir, onCrash })
    const path = await socketPath({ dataDir })
    const started = [
      [STARTUP],
      [message('\x01')],
      [Buffer.from('Q\0\0\0\0select 1')],
      [Buffer.from('Q\xff\xff\xff\xff', 'latin1')],
      [message('Q', 'a text without an end')],
      Array(1000).fill(message('Q', 'select 1; select 2\0')),
      ...[...'BCDEFHPQScdf'].map((type) => [message(type)]),
      ...[...'BCDEFHPQScdf'].map((type) => [message(type, 'nonsense\0\xff\xff\xff\xff')]),
    ].map((messages) => [STARTUP, ...messages])
    const others = [
      [Buffer.alloc(9)],
      [message('', '\0\x02\0\0user\0nobody\0database\0none\0\0')],
      [message('', '\0\x03\0\0\0')],
      [message('', '\x04\xd2\x16\x2e\0\0\0\x01\0\0\0\x02')],
    ]
    for (const messages of [...started, ...others]) {
      for (const size of [1, 1_000_000]) {
        const client = connect(path).resume()
        client.on('error', () => {})
        const bytes = Buffer.concat(messages)
        for (let at = 0; at < Math.min(bytes.length, 100 * size); at += size)
          client.write(bytes.subarray(at, at + size))
        client.end()
        await once(client, 'close')
        const answer = await site.sql`select 1 as one`.catch((error) => [error, onCrash.mock.calls])
        expect(answer, bytes.toString('latin1', 0, 100)).toEqual([{ one: 1 }])
      }
    }
    expect(onCrash).not.toHaveBeenCalled()
  })

  it('does not mistake a file or another program’s socket for a lock', async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'db-0000000000000000.sock'), '')
    const stranger = createServer().listen(join(dataDir, 'other.sock'))
    cleanups.push(() => stranger.close())
    await open({ dataDir })
  })
})

/** Returns the socket of the embedded database, or an empty string on PostgreSQL, which has a URL instead. */
async function socketPath({ databaseUrl, dataDir }: Pick<TestDatabase, 'databaseUrl' | 'dataDir'>): Promise<string> {
  if (databaseUrl) return ''
  const name = (await readdir(dataDir)).find((name) => /^db-.*\.sock$/.test(name))
  return join(dataDir, name ?? '')
}
