import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { allowance, board } from '#db/schema/index.ts'
import { socketPath, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { message, STARTUP } from '#tests/helpers/postgresMessages.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

const row = (key: string) => ({ key, fullAt: 0 })

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
