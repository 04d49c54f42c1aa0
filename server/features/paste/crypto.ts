import { hkdfSync } from 'node:crypto'
import { isCapability } from '#server/core/security/capability.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'

const VERSION = 'paste/v1'

/** Columns of a row that are authenticated with the ciphertext (AAD). */
export type AuthenticatedData = { lookup: Uint8Array; createdAt: Date; expiresAt: Date; flags: number }

/**
 * Derives the lookup key of the row and the encryption key. Neither key reveals the other or the capability.
 * @param salt the site's secret of 32 bytes
 * @returns null for an invalid capability
 */
export function deriveKeys(capability: string, salt: Uint8Array): { lookup: Uint8Array; key: Uint8Array } | null {
  if (!isCapability(capability)) return null
  const bytes = Buffer.from(capability, 'base64url')
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', bytes, salt, `${VERSION}/${purpose}`, 32))
  return { lookup: derive('lookup'), key: derive('key') }
}

/** Encrypts a paste. It cannot be decrypted after a change of its authenticated columns. */
export const encryptContent = (
  key: Uint8Array,
  bound: AuthenticatedData,
  plaintext: Uint8Array,
  iv?: Uint8Array,
): Buffer => sealBytes(key, encodeAuthenticatedData(bound), plaintext, iv)

export const decryptContent = (key: Uint8Array, bound: AuthenticatedData, sealed: Uint8Array): Buffer | null =>
  openBytes(key, encodeAuthenticatedData(bound), sealed)

/** All fields have a fixed length, so the encoding is unambiguous. */
function encodeAuthenticatedData({ lookup, createdAt, expiresAt, flags }: AuthenticatedData): Buffer {
  const numbers = Buffer.alloc(17)
  numbers.writeBigInt64BE(BigInt(createdAt.getTime()), 0)
  numbers.writeBigInt64BE(BigInt(expiresAt.getTime()), 8)
  numbers.writeUInt8(flags, 16)
  return Buffer.concat([Buffer.from(VERSION), lookup, numbers])
}
