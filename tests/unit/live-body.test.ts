import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { readBody } from '#server/features/radio/input/sourceSocket.ts'

const CHUNKED = { 'transfer-encoding': 'chunked' }

/** Reads a body that arrives in packets. The connection stays open after them. */
async function read(headers: IncomingHttpHeaders, packets: Buffer[], isClosed = false) {
  let isAtEnd = false
  async function* connection() {
    yield* packets
    isAtEnd = true
    if (!isClosed) throw new Error('waits for more')
  }
  let body = ''
  for await (const bytes of readBody(headers, connection())) body += bytes
  return { body, isAtEnd }
}

test('chunks are decoded wherever the stream is split', async () => {
  const bytes = Buffer.from('5\r\nhello\r\nB;name=x\r\n 0\r\n worlds\r\n0\r\nTrailer: x\r\n\r\nrest')
  for (let size = 1; size <= bytes.length; size++) {
    const packets = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    expect(await read(CHUNKED, packets)).toEqual({ body: 'hello 0\r\n worlds', isAtEnd: false })
  }
})

test.each([
  ['no size', 'hello\r\n'],
  ['a size that is too large', 'fffffffff\r\n'],
  ['a negative size', '-1\r\n'],
  ['a chunk longer than its size', '1\r\nhello\r\n'],
  ['an endless line', '0'.repeat(200)],
])('chunks with %s are refused', async (_name, text) => {
  await expect(read(CHUNKED, [Buffer.from(text)])).rejects.toThrow(/chunk/)
})

test('a body ends with its length, and otherwise with the connection', async () => {
  const packets = [Buffer.from(''), Buffer.from('he'), Buffer.from('llo')]
  expect(await read({ 'content-length': '3' }, packets)).toEqual({ body: 'hel', isAtEnd: false })
  for (const headers of [{}, { 'content-length': '0' }, { 'content-length': '-1' }, { 'content-length': 'x' }]) {
    expect(await read(headers, packets, true)).toEqual({ body: 'hello', isAtEnd: true })
    await expect(read(headers, packets)).rejects.toThrow('waits for more')
  }
  expect(await read(CHUNKED, [Buffer.from('5\r\nhel')], true)).toEqual({ body: 'hel', isAtEnd: true })
})
