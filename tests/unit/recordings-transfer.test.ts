import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createConnection } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import type { Radio } from '#server/features/radio/createRadio.ts'
import { RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import {
  app,
  ask,
  BROADCAST,
  type Open,
  open,
  PATH,
  pieces,
  port,
  ranged,
  read,
  type Signal,
  SOUND,
  serve,
  stalledSource,
  UNAVAILABLE,
  whole,
} from '#tests/helpers/recordingDownload.ts'

describe('a source that fails before the first byte', () => {
  const silent = async function* (): AsyncGenerator<Buffer> {
    await new Promise(() => {})
  }
  const dead = async function* (): AsyncGenerator<Buffer> {
    yield* []
    throw new Error('connect ECONNREFUSED http://10.0.0.1:8080/?key=secret')
  }
  const strange = (change: Partial<SourceRecording>): Open => {
    return async () => ({ ...whole(), ...change })
  }
  test.each<[string, Open, Partial<Radio>, Record<string, string>]>([
    ['no list of streamers', ranged, { streamers: async () => ({ streamers: [], available: false }) }, {}],
    ['no list of broadcasts', ranged, { broadcasts: async () => ({ broadcasts: [], available: false }) }, {}],
    ['opening fails', async () => Promise.reject(new RadioUnavailable('at http://10.0.0.1/secret')), {}, {}],
    ['silence', strange({ body: silent() }), {}, {}],
    ['connection lost', strange({ body: dead() }), {}, {}],
    ['empty body', strange({ body: pieces(Buffer.alloc(0)) }), {}, {}],
  ])('%s: answers 503', async (_name, open, radio, headers) => {
    await serve(open, radio, { stallMs: 30 })
    const answer = await ask(headers)
    expect([answer.statusCode, answer.json()]).toEqual([503, UNAVAILABLE])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(JSON.stringify(answer.headers) + answer.body).not.toMatch(/secret|10\.0\.0\.1/)
  })
})

describe('a source that fails during the transfer', () => {
  const START = SOUND.subarray(0, 30_000)

  test('cuts the connection when the source is silent', async () => {
    const { opened, signals } = stalledSource(START)
    await serve(opened, {}, { stallMs: 50 })
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
    expect(signals[0]?.aborted).toBe(true)
  })

  test('cuts the connection when a source of unknown length is silent', async () => {
    const { opened } = stalledSource(START)
    await serve(async (...args) => ({ ...(await opened(...args)), size: null }), {}, { stallMs: 50 })
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
  })

  test('cuts the connection when the source dies', async () => {
    const body = async function* () {
      yield START
      throw new Error('socket hang up')
    }
    await serve(async () => whole(body()))
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
  })

  test('cuts the connection when the source ends early', async () => {
    await serve(async () => whole(pieces(START)))
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START.subarray(0, bytes.length)), isWhole]).toEqual([true, false])
  })

  test('drops bytes beyond the announced length', async () => {
    const more = Buffer.concat([SOUND, Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil')])
    await serve(async () => whole(pieces(more)))
    const socket = createConnection(port(), '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (piece) => received.push(piece))
    const once200 = `GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`
    socket.write(once200)
    socket.write(`${once200.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
    await once(socket, 'close')
    const text = Buffer.concat(received).toString('latin1')
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(text).not.toContain('evil')
  })
})

describe('a client', () => {
  test('that leaves ends the source at once, before and during the transfer', async () => {
    const { opened, signals } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened)
    const message = await open()
    message.destroy()
    await expect.poll(() => signals[0]?.aborted).toBe(true)
    await app.close()

    const opening: Signal[] = []
    await serve((_ids, _range, signal) => {
      opening.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    })
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: PATH, agent: false }).on('error', () => {})
    request.end()
    await expect.poll(() => opening).toHaveLength(1)
    request.destroy()
    await expect.poll(() => opening[0]?.aborted).toBe(true)
  })

  test('that leaves during the lookup takes no slot and opens nothing', async () => {
    const found = { broadcasts: [BROADCAST], available: true }
    const lookUp = vi.fn(async () => found)
    const first = createDeferred<typeof found>()
    lookUp.mockReturnValueOnce(first.promise)
    const opens = vi.fn(ranged)
    await serve(opens, { broadcasts: lookUp }, { maxDownloads: 1 })
    const left = new Promise((resolve) => {
      app.server.once('request', (_request, response) => response.once('close', resolve))
    })
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: PATH, agent: false }).on('error', () => {})
    request.end()
    await expect.poll(() => lookUp).toHaveBeenCalledTimes(1)
    request.destroy()
    await left
    first.resolve(found)
    await first.promise
    expect((await ask()).statusCode).toBe(200)
    expect(opens).toHaveBeenCalledTimes(1)
  })

  test('that reads slowly slows down the source and receives everything', async () => {
    const pieceBytes = 256 * 1024
    let sent = 0
    const body = async function* () {
      for (; sent < 400; sent++) yield Buffer.alloc(pieceBytes, sent)
    }
    await serve(async () => ({ ...whole(body()), size: 400 * pieceBytes }))
    const message = await open()
    message.pause()
    let before = -1
    const isStill = () => {
      const [last, current] = [before, sent]
      before = current
      return current === last
    }
    await expect.poll(isStill, { interval: 200 }).toBe(true)
    // the source sent only what fits into buffers, far less than the whole file
    expect(sent * pieceBytes).toBeLessThan(24 * 1024 * 1024)
    let length = 0
    for await (const piece of message) length += piece.length
    expect([length, message.complete]).toEqual([400 * pieceBytes, true])
  })

  test('that stops reading is disconnected', async () => {
    const signals: Signal[] = []
    const body = async function* () {
      for (let sent = 0; sent < 100; sent++) yield Buffer.alloc(1024 * 1024)
    }
    const opened: Open = async (_ids, _range, signal) => {
      signals.push(signal)
      return { ...whole(body()), size: 1e12 }
    }
    await serve(opened, {}, { idleMs: 100 })
    const message = await open()
    message.pause()
    message.on('error', () => {})
    await expect.poll(() => signals[0]?.aborted).toBe(true)
  })

  test('is served like nine others at the same time', async () => {
    await serve(ranged)
    const answers = await Promise.all(Array.from({ length: 10 }, () => read()))
    expect(answers.map(({ bytes, isWhole }) => bytes.equals(SOUND) && isWhole)).toEqual(Array(10).fill(true))
  })
})

describe('limits', () => {
  const BUSY = {
    success: false,
    error: 'Too many recordings are being downloaded. Please try again in a moment.',
  }

  test('bound concurrent downloads and free their slots', async () => {
    const { opened } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened, {}, { maxDownloads: 2 })
    const first = await open()
    await open()
    const refused = await ask()
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([503, BUSY, '30'])
    first.destroy()
    const openAgain = async () => {
      const message = await open()
      message.destroy()
      return message.statusCode
    }
    await expect.poll(openAgain).toBe(200)
  })

  test('bound downloads of one IP address', async () => {
    const { opened } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened, {}, { maxPerNetwork: 2 })
    await open()
    await open()
    const refused = await ask()
    expect([refused.statusCode, refused.json()]).toEqual([429, BUSY])
  })

  test('are not used up by refused and finished requests', async () => {
    await serve(ranged, {}, { maxDownloads: 1 })
    for (let round = 0; round < 5; round++) {
      expect((await ask()).statusCode).toBe(200)
      expect((await ask({ range: 'bytes=999999-' })).statusCode).toBe(416)
      expect((await ask({}, 'HEAD')).statusCode).toBe(200)
      expect((await read()).isWhole).toBe(true)
    }
  })

  test('do not delay closing the site', async () => {
    const { opened, signals } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened)
    const message = await open()
    message.on('error', () => {})
    message.resume()
    await app.close()
    expect(signals[0]?.aborted).toBe(true)
  })
})
