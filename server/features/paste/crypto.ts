import { hkdfSync } from 'node:crypto'
import { isCapability } from '#server/core/security/capability.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'

const VERSION = 'paste/v1'

/** Columns that the encryption authenticates (AAD). */
export type AuthenticatedData = { lookup: Uint8Array; createdAt: Date; expiresAt: Date; flags: number }

/**
 * Derives two keys: one to look up the row, one to encrypt the paste. Neither key reveals the other key or the
 * capability.
 * @param salt the site's 32-byte secret
 * @returns null for an invalid capability
 */
export function deriveKeys(capability: string, salt: Uint8Array): { lookup: Uint8Array; key: Uint8Array } | null {
  if (!isCapability(capability)) return null
  const bytes = Buffer.from(capability, 'base64url')
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', bytes, salt, `${VERSION}/${purpose}`, 32))
  return { lookup: derive('lookup'), key: derive('key') }
}

/** Encrypts a paste. If an authenticated column changes, decryption fails. */
export const encryptContent = (
  key: Uint8Array,
  bound: AuthenticatedData,
  plaintext: Uint8Array,
  iv?: Uint8Array,
): Buffer => sealBytes(key, encodeAuthenticatedData(bound), plaintext, iv)

export const decryptContent = (key: Uint8Array, bound: AuthenticatedData, sealed: Uint8Array): Buffer | null =>
  openBytes(key, encodeAuthenticatedData(bound), sealed)

/** Concatenates the fields. Their lengths are fixed, so the encoding is unambiguous. */
function encodeAuthenticatedData({ lookup, createdAt, expiresAt, flags }: AuthenticatedData): Buffer {
  const numbers = Buffer.alloc(17)
  numbers.writeBigInt64BE(BigInt(createdAt.getTime()), 0)
  numbers.writeBigInt64BE(BigInt(expiresAt.getTime()), 8)
  numbers.writeUInt8(flags, 16)
  return Buffer.concat([Buffer.from(VERSION), lookup, numbers])
}
