import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveClient } from '#db/embedded/clientConnection.server.ts'
import { createMessageReader, createPartReader } from '#db/embedded/protocol.server.ts'
import { type Part, SessionMultiplexer } from '#db/embedded/sessionMultiplexer.server.ts'
import { message, STARTUP } from '#tests/helpers/postgresMessages.ts'

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
