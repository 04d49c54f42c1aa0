import { describe, expect, test } from 'vitest'
import { errors } from '#server/core/errors.ts'
import { createContentDisposition, createRecordingFilename } from '#server/features/radio/record/archive/service.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  app,
  ask,
  BROADCAST,
  PATH,
  pieces,
  ranged,
  read,
  type Signal,
  SOUND,
  serve,
  whole,
} from '#tests/helpers/recordingDownload.ts'

describe('a recording', () => {
  test('is named after streamer and date, and never rendered as a page', async () => {
    await serve(ranged)
    const answer = await ask()
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(SOUND)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-disposition': 'attachment; filename="dj_test_22-02-2026.mp3"',
      'content-length': '100000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: '"1-3-7-100000"',
    })
    expect(answer.headers['content-range']).toBeUndefined()
  })

  test.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['Audio/OGG; codecs=opus', 'audio/ogg'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['audio/mpeg\r\nset-cookie: a=b', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of type %j is sent as %s', async (type, sent) => {
    await serve(async () => ({ ...whole(), type }))
    const answer = await ask()
    expect(answer.headers['content-type']).toBe(sent)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test.each<[range: string, start: number, end: number]>([
    ['bytes=0-', 0, 99_999],
    ['bytes=0-99', 0, 99],
    ['bytes=50000-', 50_000, 99_999],
    ['bytes=99999-99999', 99_999, 99_999],
    ['bytes=5-999999', 5, 99_999],
    ['bytes=-100', 99_900, 99_999],
  ])('is sent in ranges: %s', async (range, start, end) => {
    await serve(ranged)
    const answer = await ask({ range })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/100000`,
      'content-length': String(end - start + 1),
      'accept-ranges': 'bytes',
      etag: '"1-3-7-100000"',
    })
    expect(answer.rawPayload.equals(SOUND.subarray(start, end + 1))).toBe(true)
  })

  test.each(['bytes=0-1,5-6', 'bytes=9-5', 'bytes=-', 'bytes=a-b', 'lines=0-1', `bytes=${'9'.repeat(400)}-`])(
    'is sent whole for the unsupported range %s',
    async (range) => {
      const asked: unknown[] = []
      await serve((ids, passed, signal) => {
        asked.push(passed)
        return ranged(ids, passed, signal)
      })
      const answer = await ask({ range })
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, SOUND.length])
      expect(asked).toEqual([null])
    },
  )

  test('answers 416 for a range beyond its end, without opening it', async () => {
    await serve(() => expect.unreachable())
    const answer = await ask({ range: 'bytes=100000-' })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */100000'])
    expect(answer.json()).toEqual({ success: false, error: 'The requested range is not in the recording' })
    expect(answer.headers['content-disposition']).toBeUndefined()
  })

  test('is resumed only if unchanged', async () => {
    await serve(ranged)
    const range = 'bytes=10-19'
    expect((await ask({ range, 'if-range': '"1-3-7-100000"' })).statusCode).toBe(206)
    for (const tag of ['"1-3-7-99999"', 'W/"1-3-7-100000"', 'Sun, 22 Feb 2026 20:00:00 GMT', '']) {
      expect([tag, (await ask({ range, 'if-range': tag })).statusCode]).toEqual([tag, 200])
    }
  })

  test('is sent up to its end when it is shorter than the list says', async () => {
    const shorter = SOUND.subarray(0, 500)
    await serve(async (_ids, range) => ({ ...whole(pieces(shorter.subarray(range?.start))), size: 500, isPart: true }))
    const answer = await ask({ range: 'bytes=100-' })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, 'bytes 100-499/500'])
    expect(answer.rawPayload.equals(shorter.subarray(100))).toBe(true)
  })

  test('has no ETag when its size differs from the list', async () => {
    const shorter = SOUND.subarray(0, 500)
    await serve(async () => ({ ...whole(pieces(shorter)), size: 500 }))
    const answer = await ask()
    expect([answer.statusCode, answer.rawPayload.length, answer.headers.etag]).toEqual([200, 500, undefined])
  })

  test.each([
    ['another size', 200_000, 'bytes 10-19/200000'],
    ['an unknown size', null, 'bytes 10-19/*'],
  ])('is sent in a range of a file of %s, without an ETag', async (_name, size, range) => {
    await serve(async (...args) => ({ ...(await ranged(...args)), size }))
    const answer = await ask({ range: 'bytes=10-19' })
    expect([answer.statusCode, answer.headers['content-range'], answer.headers.etag]).toEqual([206, range, undefined])
    expect(answer.rawPayload).toEqual(SOUND.subarray(10, 20))
  })

  test('is sent whole from a source without ranges, with Accept-Ranges: none', async () => {
    await serve(async () => whole())
    const answer = await ask({ range: 'bytes=50-' })
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, SOUND.length])
    expect(answer.headers['accept-ranges']).toBe('none')
  })

  test('may have an unknown length', async () => {
    await serve(async () => ({ ...whole(), size: null }))
    const { bytes, isWhole, message } = await read()
    expect([bytes.equals(SOUND), isWhole]).toEqual([true, true])
    expect(message.headers['content-length']).toBeUndefined()
  })

  test('may be empty', async () => {
    await serve(async () => ({ ...whole(pieces(Buffer.alloc(0))), size: 0 }))
    const answer = await ask()
    expect([answer.statusCode, answer.headers['content-length'], answer.rawPayload.length]).toEqual([200, '0', 0])
  })

  test('answers HEAD with the headers of GET and without reading the file', async () => {
    let wasRead = false
    const signals: Signal[] = []
    await serve(async (_ids, range, signal) => {
      expect(range).toBeNull()
      signals.push(signal)
      const body = (async function* () {
        wasRead = true
        yield SOUND
      })()
      return whole(body)
    })
    const answer = await ask({ range: 'bytes=0-9' }, 'HEAD')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    const { 'content-length': length, 'content-disposition': name, etag } = answer.headers
    expect([length, name, etag]).toEqual(['100000', 'attachment; filename="dj_test_22-02-2026.mp3"', '"1-3-7-100000"'])
    expect([wasRead, signals[0]?.aborted]).toEqual([false, true])
  })
})

describe('not found', () => {
  const gone = { success: false, error: 'Broadcast not found' }

  test.each([
    ['another broadcast', PATH.replace('/7/', '/8/')],
    ['another streamer', PATH.replace('/3/', '/4/')],
    ['no number', PATH.replace('/7/', '/x/')],
    ['a negative number', PATH.replace('/7/', '/-7/')],
    ['a fraction', PATH.replace('/7/', '/7.0/')],
    ['a huge number', PATH.replace('/7/', `/${'7'.repeat(300)}/`)],
    ['a path', PATH.replace('/7/', '/..%2f7/')],
  ])('%s', async (_name, url) => {
    await serve(() => expect.unreachable())
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask({}, method, url)
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store'])
      if (method === 'GET') expect(answer.json()).toEqual(gone)
    }
  })

  test.each<[string, object]>([
    ['a running broadcast', { timestampEnd: null }],
    ['a broadcast without a recording', { recording: null }],
  ])('%s', async (_name, change) => {
    const broadcasts = async () => ({ broadcasts: [{ ...BROADCAST, ...change }], available: true })
    await serve(() => expect.unreachable(), { broadcasts })
    const answer = await ask()
    expect([answer.statusCode, answer.json()]).toEqual([404, gone])
  })

  test('for a station, streamer or file that the service does not know', async () => {
    const unknown = async () => {
      throw errors.notFound(refusal('radio.stationNotFound'))
    }
    await serve(() => expect.unreachable(), { streamers: unknown, broadcasts: unknown })
    expect((await ask()).json()).toEqual(gone)
    await app.close()
    await serve(unknown)
    const answer = await ask()
    expect([answer.statusCode, answer.json()]).toEqual([404, gone])
  })
})

describe('file names', () => {
  const day = new Date('2026-02-22T20:00:00Z')
  test.each([
    ['dj_test', 'dj_test'],
    ['DJ Test', 'DJ_Test'],
    ['a/../../etc/passwd', 'a_.._.._etc_passwd'],
    ['..\\..\\x', 'x'],
    ['x"; filename="evil.exe', 'x_filename=_evil.exe'],
    ['a\r\nset-cookie: b=c', 'a_set-cookie_b=c'],
    ['\0\u202egpj.exe', 'gpj.exe'],
    ['.htaccess', 'htaccess'],
    ['', 'broadcast'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(500), 'x'.repeat(48)],
    ['Zoë', 'Zoë'],
  ])('%j', (streamer, name) => {
    expect(createRecordingFilename(streamer, day)).toBe(`${name}_22-02-2026.mp3`)
    expect(createContentDisposition(createRecordingFilename(streamer, day))).toMatch(
      /^attachment; filename="[\w.+()@-]+\.mp3"(; filename\*=UTF-8''[\w.!~%-]+)?$/,
    )
  })

  test('have an ASCII form and the full form', () => {
    expect(createContentDisposition(createRecordingFilename('Zoë', day))).toBe(
      `attachment; filename="Zoe_22-02-2026.mp3"; filename*=UTF-8''Zo%C3%AB_22-02-2026.mp3`,
    )
    expect(createContentDisposition(createRecordingFilename('диджей', day))).toContain(
      'filename="__22-02-2026.mp3"; filename*=',
    )
    // full-width characters that NFKD converts to a quote and a slash
    expect(createContentDisposition('a\uff02b\uff0fc.mp3')).toContain('filename="a_b_c.mp3"')
    expect(createContentDisposition(createRecordingFilename("o'neil(1)", day))).toContain(
      "UTF-8''o%27neil%281%29_22-02-2026.mp3",
    )
  })
})
