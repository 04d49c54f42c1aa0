import { createHash, hkdfSync, pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  decryptInBrowser,
  deriveKeys,
  encryptInBrowser,
  fromBase64,
  fromBase64Url,
  toBase64,
  toBase64Url,
} from '#src/features/paste/browserCrypto.ts'
import { formatFragment, parseFragment } from '#src/features/paste/fragment.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64url')
const hkdf = (material: Uint8Array, purpose: string) =>
  Buffer.from(hkdfSync('sha256', material, new Uint8Array(), `paste/browser/v1/${purpose}`, 32))

describe('encryption in the browser', () => {
  test('derives the documented proof, with and without a password', async () => {
    const secret = Buffer.from(KEY, 'base64url')
    expect((await deriveKeys(KEY, '')).proof).toBe(hkdf(secret, 'proof').toString('base64url'))
    const stretched = pbkdf2Sync('pässword', hkdf(secret, 'salt'), 600_000, 32, 'sha256')
    const withPassword = hkdf(Buffer.concat([secret, stretched]), 'proof').toString('base64url')
    expect((await deriveKeys(KEY, 'pässword')).proof).toBe(withPassword)
    expect((await deriveKeys(KEY, 'pa\u0308ssword')).proof).toBe(withPassword)
  })

  test('matches the PBKDF2 test vector of RFC 7914, section 11', async () => {
    const { subtle } = globalThis.crypto
    const bytes = (text: string) => new TextEncoder().encode(text)
    const base = await subtle.importKey('raw', bytes('passwd'), 'PBKDF2', false, ['deriveBits'])
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes('salt'), iterations: 1 }
    expect(Buffer.from(await subtle.deriveBits(algorithm, base, 512)).toString('hex')).toBe(
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
    )
  })

  test.each(['', 'a password'])('decrypts to the same text, password %j', async (password) => {
    const text = '\ufeffsome text \0 😀\r\n'
    const { fragmentKey, content, proofHash } = await encryptInBrowser(text, password)
    expect(fragmentKey).toMatch(/^[\w-]{43}$/)
    const { key, proof } = await deriveKeys(fragmentKey, password)
    expect(await decryptInBrowser(content, key)).toBe(text)
    expect(createHash('sha256').update(Buffer.from(proof, 'base64url')).digest('base64url')).toBe(proofHash)
    expect(Buffer.from(content, 'base64').includes('some text')).toBe(false)
  })

  test('rejects another key, another password and changed bytes', async () => {
    const { fragmentKey, content } = await encryptInBrowser('text', 'right')
    await expect(deriveKeys(fragmentKey, 'wrong').then(({ key }) => decryptInBrowser(content, key))).rejects.toThrow()
    await expect(deriveKeys(KEY, 'right').then(({ key }) => decryptInBrowser(content, key))).rejects.toThrow()
    const { key } = await deriveKeys(fragmentKey, 'right')
    const bytes = Buffer.from(content, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const tampered = Buffer.from(bytes)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      await expect(decryptInBrowser(tampered.toString('base64'), key)).rejects.toThrow()
    }
  })

  test('encodes base64 of every length', () => {
    for (const length of [0, 1, 2, 3, 31, 32, 33, 8191, 8192, 8193, 20_000]) {
      const bytes = new Uint8Array(Array.from({ length }, (_, index) => (index * 7) % 256))
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
    }
  })
})

test.each([
  ['', null, null],
  ['#', null, null],
  ['#L10', null, [10, 10]],
  ['#L10-L20', null, [10, 20]],
  ['#L20-10', null, [10, 20]],
  [`#${KEY}`, KEY, null],
  [`#${KEY}:L3-L4`, KEY, [3, 4]],
  ['#main', null, null],
  [`#${KEY}x`, null, null],
])('parses the fragment %s', (hash, key, range) => {
  const lines = range === null ? null : { from: range[0], to: range[1] }
  expect(parseFragment(hash)).toEqual({ key, lines })
  const [from, to] = range ?? []
  expect(parseFragment(formatFragment({ key, lines: from && to ? { from, to } : null }))).toEqual({ key, lines })
})
