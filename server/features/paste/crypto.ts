import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isCapability } from '#server/core/security/capability.ts'

const VERSION = 'paste/v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Columns of a row that are authenticated with the ciphertext (AAD). */
export type AuthenticatedData = { lookup: Uint8Array; createdAt: Date; expiresAt: Date; flags: number }

/**
 * Derives the lookup key of the row and the encryption key. One key does not reveal the other or the capability.
 * @param salt the site's secret of 32 bytes
 * @returns null for an invalid capability
 */
export function deriveKeys(capability: string, salt: Uint8Array): { lookup: Uint8Array; key: Uint8Array } | null {
  if (!isCapability(capability)) return null
  const bytes = Buffer.from(capability, 'base64url')
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', bytes, salt, `${VERSION}/${purpose}`, 32))
  return { lookup: derive('lookup'), key: derive('key') }
}

/** Encrypts with AES-256-GCM. @returns iv, ciphertext and tag, in this order */
export function seal(
  key: Uint8Array,
  bound: AuthenticatedData,
  plaintext: Uint8Array,
  iv = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(encodeAuthenticatedData(bound))
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts. Returns null if the ciphertext or the authenticated data were changed. */
export function open(key: Uint8Array, bound: AuthenticatedData, sealed: Uint8Array): Buffer | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(encodeAuthenticatedData(bound))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** All fields have a fixed length, so the encoding is unambiguous. */
function encodeAuthenticatedData({ lookup, createdAt, expiresAt, flags }: AuthenticatedData): Buffer {
  const numbers = Buffer.alloc(17)
  numbers.writeBigInt64BE(BigInt(createdAt.getTime()), 0)
  numbers.writeBigInt64BE(BigInt(expiresAt.getTime()), 8)
  numbers.writeUInt8(flags, 16)
  return Buffer.concat([Buffer.from(VERSION), lookup, numbers])
}
