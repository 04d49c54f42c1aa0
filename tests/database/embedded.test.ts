import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { eq, sql as statement } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { allowance, board } from '#db/schema/index.ts'
import { takeTokens } from '#server/core/limits/tokenBuckets.ts'
import { socketPath, type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'

const row = (key: string) => ({ key, fullAt: 0 })

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
