import { createCipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCapability, hashToken, verifyToken } from '#server/core/security/capability.ts'
import {
  type AuthenticatedData,
  decryptContent,
  deriveKeys,
  encryptContent,
  packContent,
  unpackContent,
} from '#server/features/paste/crypto.ts'
import { fc } from '#tests/helpers/property.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const SALT = hex('11'.repeat(32))
const CAPABILITY = Buffer.from(hex('000102030405060708090a0b0c0d0e0f')).toString('base64url')
const keys = () => deriveKeys(CAPABILITY, SALT) as { lookup: Uint8Array; key: Uint8Array }
const bound = (): AuthenticatedData => ({
  lookup: keys().lookup,
  createdAt: new Date(1_700_000_000_000),
  expiresAt: new Date(1_700_003_600_000),
  flags: 1,
})

describe('published test vectors', () => {
  test('HKDF-SHA256: RFC 5869, A.1', () => {
    const derived = hkdfSync(
      'sha256',
      hex('0b'.repeat(22)),
      hex('000102030405060708090a0b0c'),
      hex('f0f1f2f3f4f5f6f7f8f9'),
      42,
    )
    expect(Buffer.from(derived).toString('hex')).toBe(
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    )
  })

  test('AES-256-GCM: McGrew and Viega, case 16', () => {
    const key = hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308')
    const cipher = createCipheriv('aes-256-gcm', key, hex('cafebabefacedbaddecaf888'), { authTagLength: 16 })
    cipher.setAAD(hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'))
    const text = hex(
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    )
    const body = Buffer.concat([cipher.update(text), cipher.final()]).toString('hex')
    expect(body).toBe(
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    )
    expect(cipher.getAuthTag().toString('hex')).toBe('76fc6ece0f4e1768cddf8853bb2d551b')
  })
})

test('matches the documented construction in WebCrypto', async () => {
  const { subtle } = globalThis.crypto
  const material = await subtle.importKey('raw', Buffer.from(CAPABILITY, 'base64url'), 'HKDF', false, ['deriveBits'])
  const derive = async (info: string) => {
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: SALT, info: new TextEncoder().encode(info) }
    return new Uint8Array(await subtle.deriveBits(algorithm as HkdfParams, material, 256))
  }
  expect(keys()).toEqual({ lookup: await derive('paste/v1/lookup'), key: await derive('paste/v1/key') })
  const sealed = encryptContent(keys().key, bound(), Buffer.from('text'))
  const times = Buffer.alloc(16)
  times.writeBigInt64BE(1_700_000_000_000n, 0)
  times.writeBigInt64BE(1_700_003_600_000n, 8)
  const additionalData = Buffer.concat([Buffer.from('paste/v1'), keys().lookup, times, Buffer.of(1)])
  const key = await subtle.importKey('raw', Buffer.from(keys().key), 'AES-GCM', false, ['decrypt'])
  const [iv, body] = [new Uint8Array(sealed.subarray(0, 12)), new Uint8Array(sealed.subarray(12))]
  const opened = await subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, body)
  expect(Buffer.from(opened).toString()).toBe('text')
})

describe('a capability', () => {
  test('is 16 random bytes in 22 characters, never twice the same', () => {
    const seen = new Set(Array.from({ length: 1000 }, createCapability))
    expect(seen.size).toBe(1000)
    for (const one of seen) expect(one).toMatch(/^[\w-]{22}$/)
  })

  test.each([
    '',
    'x',
    CAPABILITY.slice(1),
    `${CAPABILITY}A`,
    `${CAPABILITY}=`,
    `${CAPABILITY.slice(0, 21)}x`,
    `${CAPABILITY}\n`,
    ` ${CAPABILITY.slice(1)}`,
    '../../../../etc/passwd',
    'é'.repeat(22),
    '\0'.repeat(22),
  ])('rejects the capability %j', (text) => {
    expect(deriveKeys(text, SALT)).toBeNull()
  })

  test('accepts only one spelling of a capability', () => {
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...last].filter((character) => deriveKeys(CAPABILITY.slice(0, 21) + character, SALT))
    expect(spellings).toEqual(['A', 'Q', 'g', 'w'])
  })

  test('derives other keys with another secret', () => {
    const others = deriveKeys(CAPABILITY, hex('22'.repeat(32)))
    expect(others?.lookup).not.toEqual(keys().lookup)
    expect(others?.key).not.toEqual(keys().key)
    expect(keys().key).not.toEqual(keys().lookup)
  })
})

describe('encryptContent and decryptContent', () => {
  const text = Buffer.from('some text, and a NUL \0')

  test('decrypts, and never encrypts to the same ciphertext twice', () => {
    const [one, two] = [encryptContent(keys().key, bound(), text), encryptContent(keys().key, bound(), text)]
    expect(one.equals(two)).toBe(false)
    expect(one).toHaveLength(12 + text.length + 16)
    expect(decryptContent(keys().key, bound(), one)).toEqual(text)
    expect(one.includes('some text')).toBe(false)
  })

  test('rejects a changed, missing or added byte', () => {
    const sealed = encryptContent(keys().key, bound(), text)
    for (let at = 0; at < sealed.length; at++) {
      for (const bit of [1, 128]) {
        const tampered = Buffer.from(sealed)
        tampered[at] = (tampered[at] ?? 0) ^ bit
        expect(decryptContent(keys().key, bound(), tampered)).toBeNull()
      }
      expect(decryptContent(keys().key, bound(), sealed.subarray(0, at))).toBeNull()
      expect(decryptContent(keys().key, bound(), sealed.subarray(at + 1))).toBeNull()
    }
    expect(decryptContent(keys().key, bound(), Buffer.concat([sealed, Buffer.of(0)]))).toBeNull()
  })

  test('rejects another key or changed authenticated data', () => {
    const sealed = encryptContent(keys().key, bound(), text)
    for (let at = 0; at < 32; at++) {
      const key = new Uint8Array(keys().key)
      key[at] = (key[at] ?? 0) ^ 1
      expect(decryptContent(key, bound(), sealed)).toBeNull()
      const lookup = new Uint8Array(keys().lookup)
      lookup[at] = (lookup[at] ?? 0) ^ 1
      expect(decryptContent(keys().key, { ...bound(), lookup }, sealed)).toBeNull()
    }
    expect(decryptContent(keys().key, { ...bound(), createdAt: new Date(1_700_000_000_001) }, sealed)).toBeNull()
    expect(decryptContent(keys().key, { ...bound(), expiresAt: new Date(1_700_003_600_001) }, sealed)).toBeNull()
    for (const flags of [0, 2, 3, 255]) expect(decryptContent(keys().key, { ...bound(), flags }, sealed)).toBeNull()
  })

  test('returns the same bytes and language', () => {
    const languages = fc.constantFrom(null, 'rust', 'python')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), languages, (bytes, language) => {
        const opened = decryptContent(
          keys().key,
          bound(),
          encryptContent(keys().key, bound(), packContent({ language, bytes })),
        )
        const content = unpackContent(opened as Buffer)
        expect(Buffer.from(content.bytes)).toEqual(Buffer.from(bytes))
        expect(content.language).toBe(language)
      }),
    )
  })
})

test('verifies a token by its hash', () => {
  const token = createCapability()
  expect(verifyToken(token, hashToken(token))).toBe(true)
  for (const wrong of [undefined, '', 'x', createCapability()]) expect(verifyToken(wrong, hashToken(token))).toBe(false)
  expect(verifyToken(token, null)).toBe(false)
})
