import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { FORM_TYPE, fieldPart, filePart, formBody } from '#tests/helpers/multipart.ts'
import { encodeHead, parseBody, parseResponses, sendRaw } from '#tests/helpers/rawHttp.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const SHARES = '/api/image-share'
const THREADS = `${BOARDS}/large/threads`
const MiB = 1024 * 1024
const GiB = 1024 * MiB
const TOO_BIG = { success: false, error: 'File size must be less than 5MB' }
const TOO_LARGE = { success: false, error: 'The request is too large' }
const CLOSE = 'Connection: close'

let site: TestSite
let origin: string
beforeAll(async () => {
  site = await startSite()
  await createBoard(site, 'Large', await site.createToken('admin@example.org', 'admin'))
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

const image = (mebibytes: number, type = 'image/png') =>
  filePart('image', 'a.png', type, Buffer.alloc(mebibytes * MiB, 1))
const hours = (value = '24') => fieldPart('expiryHours', value)
const texts = ['title', 'content', 'author'].map((name) => fieldPart(name, 'x'))
const headOf = (path: string, length: number, ...lines: string[]) =>
  encodeHead('POST', path, [`Content-Type: ${FORM_TYPE}`, `Content-Length: ${length}`, ...lines])

async function post(path: string, ...parts: Buffer[]) {
  const { status, body } = await callApi(site, 'POST', path, { raw: formBody(...parts), type: FORM_TYPE })
  return [status, body]
}

describe('the refusal of an image that is too large', () => {
  test.each([6, 23, 24, 25, 60, 70])('is the same for %i MiB', async (mebibytes) => {
    expect(await post(SHARES, image(mebibytes), hours())).toEqual([413, TOO_BIG])
  })

  test('comes after the refusal of the other fields, also of those after the image', async () => {
    const [status, { error }] = await post(SHARES, image(25), hours('3'))
    expect([status, error]).toEqual([400, expect.stringContaining('Expiration')])
    expect(await post(THREADS, image(25), ...texts)).toEqual([400, expect.objectContaining({ success: false })])
  })

  test('is sent for a post with several, also if the form is larger than any the server reads', async () => {
    expect(await post(THREADS, ...texts, ...Array(4).fill(image(17)))).toEqual([413, TOO_BIG])
  })

  test('is not sent for a form that is too large because of another file', async () => {
    expect(await post(THREADS, ...texts, image(70, 'application/zip'))).toEqual([413, TOO_LARGE])
    expect(await post(THREADS, ...texts, ...Array(14).fill(image(5)))).toEqual([413, TOO_LARGE])
  })

  test('is sent for a body of unknown length', async () => {
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MiB, 1), Buffer.from('\r\n')])
    const opening = image(0).subarray(0, -2)
    const head = encodeHead('POST', SHARES, [`Content-Type: ${FORM_TYPE}`, 'Transfer-Encoding: chunked', CLOSE])
    const size = `${opening.length.toString(16)}\r\n`
    const { responses } = await sendRaw(origin, [head, size, opening, '\r\n', ...Array(70).fill(chunk), '0\r\n\r\n'])
    expect(responses.map((response) => [response.status, parseBody(response)])).toEqual([[413, TOO_BIG]])
  })
})

describe('a form that announces more than the server reads', () => {
  const beginning = Buffer.concat([...texts, image(5), Buffer.alloc(10)])

  test.each([[[]], [[CLOSE]]])('is refused when its image is too large, before the rest arrives %j', async (lines) => {
    const sent = [headOf(SHARES, GiB, ...lines), beginning]
    const { responses, ms } = await sendRaw(origin, sent, { untilHead: true })
    expect(responses.map((response) => [response.status, parseBody(response)])).toEqual([[413, TOO_BIG]])
    expect(ms).toBeLessThan(30_000)
    await expect.poll(() => site.app.services.bodyBudget.bytes()).toBe(0)
  })

  test('gets its refusal while it is sent, and keeps the connection if the rest is small', async () => {
    const form = formBody(image(100), hours())
    const { responses } = await sendRaw(origin, [
      headOf(SHARES, form.length),
      form,
      encodeHead('GET', '/healthz', [CLOSE]),
    ])
    expect(responses.map((response) => [response.status, parseBody(response)])).toEqual([
      [413, TOO_BIG],
      [200, { status: 'ok' }],
    ])
  })

  test.each(someOf([[[]], [[CLOSE]]]))('is not read to its end %j', async (lines) => {
    const { written, received } = await sendEndlessly(headOf(SHARES, GiB, ...lines), beginning)
    expect(parseResponses(received).map((response) => [response.status, parseBody(response)])).toEqual([[413, TOO_BIG]])
    expect(written).toBeLessThan(300 * MiB)
  })
})

/** Sends until the server closes the connection. Returns how many bytes it took, and its response. */
async function sendEndlessly(...start: Buffer[]): Promise<{ written: number; received: Buffer }> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const bytes of start) socket.write(bytes)
  const piece = Buffer.alloc(MiB, 1)
  const send = () => {
    while (!socket.destroyed && socket.bytesWritten < GiB && socket.write(piece));
  }
  socket.on('drain', send)
  send()
  await closed
  return { written: socket.bytesWritten - socket.writableLength, received: Buffer.concat(received) }
}
