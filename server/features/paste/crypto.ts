import { hkdfSync } from 'node:crypto'
import { isCapability } from '#server/core/security/capability.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'
import { type PasteFlags, type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'

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
export const encryptContent = (key: Uint8Array, bound: AuthenticatedData, plaintext: Uint8Array): Buffer =>
  sealBytes(key, encodeAuthenticatedData(bound), plaintext)

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

export type PasteContent = { language: PasteLanguage | null; bytes: Uint8Array }

/** Packs a paste into bytes: length of the language's name (one byte), the name, the content. */
export function packContent({ language, bytes }: PasteContent): Buffer {
  const name = Buffer.from(language ?? '')
  return Buffer.concat([Buffer.of(name.length), name, bytes])
}

export function unpackContent(packed: Buffer): PasteContent {
  const start = 1 + (packed[0] ?? 0)
  const name = packed.toString('utf8', 1, start)
  return { language: name in pasteLanguages ? (name as PasteLanguage) : null, bytes: packed.subarray(start) }
}

const BURN = 1
const ENCRYPTED = 2
const PASSWORD = 4

export const encodeFlags = ({ burnAfterReading, encrypted, passwordProtected }: PasteFlags): number =>
  (burnAfterReading ? BURN : 0) | (encrypted ? ENCRYPTED : 0) | (encrypted && passwordProtected ? PASSWORD : 0)

export const decodeFlags = (flags: number): PasteFlags => ({
  burnAfterReading: (flags & BURN) !== 0,
  encrypted: (flags & ENCRYPTED) !== 0,
  passwordProtected: (flags & PASSWORD) !== 0,
})
