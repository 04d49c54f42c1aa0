import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CheckpointSchedule } from '#db/embedded/checkpointSchedule.server.ts'
import { addSyncs } from '#db/embedded/databaseFiles.server.ts'
import { LogSync } from '#db/embedded/logSync.server.ts'
import { dropTemplates, startParams } from '#db/embedded/pgliteSetup.server.ts'
import { SessionMultiplexer } from '#db/embedded/sessionMultiplexer.server.ts'
import { isDeep } from '#tests/helpers/depth.ts'

const folder = mkdtempSync(join(tmpdir(), 'dtp-test-'))
const file = openSync(join(folder, 'log'), 'w')
afterAll(() => {
  closeSync(file)
  rmSync(folder, { recursive: true })
})

const fail = (error: Error): never => {
  throw error
}

describe('the sync of the log', () => {
  test('releases commits when a sync that began after them is done', async () => {
    const log = new LogSync(fail)
    const order: string[] = []
    const wait = (name: string) => log.synced()?.then(() => order.push(name))
    expect(log.synced()).toBeNull()
    log.request(file)
    const first = wait('first')
    log.request(file)
    // The running sync may have begun before this commit.
    const second = wait('second')
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
    expect(log.synced()).toBeNull()
  })

  test('can be forced, before a file is closed too', async () => {
    const log = new LogSync(fail)
    for (const force of [() => log.settle(), () => log.beforeClose(file)]) {
      log.request(file)
      const waiting = log.synced()
      force()
      expect(log.synced()).toBeNull()
      await waiting
    }
  })

  test('is forced for the file of a running sync and for a newer one', () => {
    const failed = vi.fn()
    const log = new LogSync(failed as never)
    const closed = openSync(join(folder, 'first'), 'w')
    log.request(closed)
    void log.synced()
    closeSync(closed)
    log.request(file)
    log.settle()
    expect(failed).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining('EBADF') }),
    )
  })

  test('ends the database if it fails', () => {
    const closed = openSync(join(folder, 'closed'), 'w')
    closeSync(closed)
    const log = new LogSync(fail)
    log.request(closed)
    expect(() => log.settle()).toThrow(/^the write-ahead log cannot be synced: EBADF/)
  })
})

test('the timer of a statement stops, and its connection ends, if the database fails', async () => {
  const timer = { start: vi.fn(), stop: vi.fn() }
  const database = { runExclusive: () => Promise.reject(new Error('crashed')) }
  const options = { timer, checkpoints: { getDue: () => null } }
  const sessions = new SessionMultiplexer(database as never, options as never)
  const client = { receive: vi.fn(), close: vi.fn() }
  sessions.enqueue({ client, messages: Uint8Array.of(0x51), type: 0x51 })
  await vi.waitFor(() => expect(client.close).toHaveBeenCalledOnce())
  expect(client.receive).not.toHaveBeenCalled()
  expect([timer.start, timer.stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test.runIf(isDeep)('the templates of databases are dropped, also after a crash in between', async () => {
  const database = await PGlite.create({ dataDir: 'memory://', startParams })
  await database.exec('update pg_database set datistemplate = false')
  await dropTemplates(database)
  expect((await database.query('select datname from pg_database')).rows).toEqual([{ datname: 'postgres' }])
  await database.close()
})

describe('the files of the database', () => {
  const root = '/db'
  const done: string[] = []
  const operation = (name: string) => () => void done.push(name)
  const files = {
    realPath: (node: { path: string }) => node.path,
    tryFSOperation: <T>(run: () => T) => run(),
    stream_ops: Object.fromEntries(['read', 'write', 'close', 'setattr'].map((name) => [name, operation(name)])),
    node_ops: Object.fromEntries(
      ['setattr', 'rename', 'unlink', 'rmdir', 'mknod', 'symlink'].map((name) => [name, operation(name)]),
    ),
  }
  const stream = (path: string) => ({ nfd: file, node: { path: `${root}/${path}` } }) as never
  const onLogWrite = vi.fn()
  addSyncs(files as never, {
    log: { request: operation('request'), settle: operation('settle'), beforeClose: operation('before close') },
    onLogWrite,
    onAccess: operation('access'),
    onModule: () => {},
  })
  const call = (kind: 'stream_ops' | 'node_ops', name: string, ...values: never[]) => {
    done.length = 0
    ;(files[kind][name] as (...values: never[]) => unknown)(...values)
    return done
  }

  test('change only after the log is on the disk', () => {
    expect(call('stream_ops', 'write', stream('base/5/16384'))).toEqual(['settle', 'access', 'write'])
    expect(call('stream_ops', 'setattr', stream('base/5/16384'))).toEqual(['settle', 'setattr'])
    for (const name of ['setattr', 'rename', 'unlink', 'rmdir']) {
      expect(call('node_ops', name)).toEqual(['settle', name])
    }
    expect(call('stream_ops', 'close', stream('base/5/16384'))).toEqual(['before close', 'close'])
  })

  test('request a sync of the log instead of waiting for it', () => {
    const log = stream('pg_wal/00000001000000000000000A')
    expect(call('stream_ops', 'write', log)).toEqual(['write'])
    expect(call('stream_ops', 'fsync', log)).toEqual(['request'])
    expect(onLogWrite).toHaveBeenLastCalledWith(false)
    call('stream_ops', 'write', stream('pg_wal/00000001000000000000000B'))
    expect(onLogWrite).toHaveBeenLastCalledWith(true)
  })
})

describe('a checkpoint', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is due after five minutes with writes, and not before', () => {
    const onDue = vi.fn()
    const checkpoints = new CheckpointSchedule(onDue)
    vi.advanceTimersByTime(300_000)
    expect([checkpoints.getDue(), onDue.mock.calls.length]).toEqual([null, 0])
    checkpoints.onLogWrite(false)
    vi.advanceTimersByTime(299_999)
    expect(checkpoints.getDue()).toBeNull()
    vi.advanceTimersByTime(1)
    expect([checkpoints.getDue(), onDue.mock.calls.length]).toEqual(['checkpoint', 1])
    checkpoints.restart('checkpoint')
    expect(checkpoints.getDue()).toBeNull()
  })

  test('is due at every fourth new file of the log, and new plans at each', () => {
    const checkpoints = new CheckpointSchedule(() => {})
    const due = Array.from({ length: 5 }, () => {
      checkpoints.onLogWrite(true)
      checkpoints.onLogWrite(false)
      const duty = checkpoints.getDue()
      if (duty) checkpoints.restart(duty)
      return duty
    })
    expect(due).toEqual(['plans', 'plans', 'plans', 'checkpoint', 'plans'])
  })

  test('is still due after five minutes if new plans were due before', () => {
    const checkpoints = new CheckpointSchedule(() => {})
    checkpoints.onLogWrite(true)
    vi.advanceTimersByTime(300_000)
    expect(checkpoints.getDue()).toBe('checkpoint')
    checkpoints.restart('checkpoint')
    checkpoints.onLogWrite(true)
    checkpoints.restart('plans')
    vi.advanceTimersByTime(300_000)
    expect(checkpoints.getDue()).toBe('checkpoint')
  })

  test('stays due if it becomes due by time while statements are planned again', () => {
    const checkpoints = new CheckpointSchedule(() => {})
    checkpoints.onLogWrite(true)
    expect(checkpoints.getDue()).toBe('plans')
    vi.advanceTimersByTime(300_000)
    checkpoints.restart('plans')
    expect(checkpoints.getDue()).toBe('checkpoint')
  })
})
