import { expect, test } from 'vitest'
import { createBodyDecoder } from '#server/features/radio/input/sourceSocket.ts'

const CHUNKED = { 'transfer-encoding': 'chunked' }

test('chunks are decoded wherever the stream is split', () => {
  const bytes = Buffer.from('5\r\nhello\r\nB;name=x\r\n 0\r\n worlds\r\n0\r\nTrailer: x\r\n\r\nrest')
  for (let size = 1; size <= bytes.length; size++) {
    const decoder = createBodyDecoder(CHUNKED)
    let body = ''
    for (let at = 0; at < bytes.length; at += size) {
      expect(decoder.isComplete()).toBe(at >= bytes.length - 'rest'.length && at > 0)
      body += Buffer.concat(decoder.push(bytes.subarray(at, at + size)))
    }
    expect(body).toBe('hello 0\r\n worlds')
    expect(decoder.isComplete()).toBe(true)
  }
})

test.each([
  ['no size', 'hello\r\n'],
  ['a size that is too large', 'fffffffff\r\n'],
  ['a negative size', '-1\r\n'],
  ['a chunk longer than its size', '1\r\nhello\r\n'],
  ['an endless line', '0'.repeat(200)],
  ['endless trailers', `0\r\n${'x: y\r\n'.repeat(2000)}`],
])('chunks with %s are refused', (_name, text) => {
  expect(() => createBodyDecoder(CHUNKED).push(Buffer.from(text))).toThrow(/chunk/)
})

test('a body ends with its length, and without one with the connection', () => {
  const limited = createBodyDecoder({ 'content-length': '3' })
  expect([String(Buffer.concat(limited.push(Buffer.from('hello')))), limited.isComplete()]).toEqual(['hel', true])
  for (const headers of [{}, { 'content-length': '0' }, { 'content-length': '-1' }, { 'content-length': 'x' }]) {
    const endless = createBodyDecoder(headers)
    expect([String(Buffer.concat(endless.push(Buffer.from('hello')))), endless.isComplete()]).toEqual(['hello', false])
  }
})
