import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 16 bytes in base64url. The last character holds only two bits, so it has only four valid values. */
const CAPABILITY = /^[\w-]{21}[AQgw]$/

export const createCapability = () => randomBytes(16).toString('base64url')

/**
 * Creates the id and the delete token of an item. With an idempotency key, the same form gets the same ones again, so
 * the answer can be repeated although the site does not store them.
 * @param key the site's secret
 * @param form what the visitor sent; `JSON.stringify` must tell two forms apart
 */
export function createCapabilities(key: Uint8Array, idempotencyKey: string | undefined, form: unknown) {
  if (idempotencyKey === undefined) return { id: createCapability(), token: createCapability() }
  const bytes = createHmac('sha256', key)
    .update(JSON.stringify([idempotencyKey, form]))
    .digest()
  return { id: bytes.toString('base64url', 0, 16), token: bytes.toString('base64url', 16) }
}

export const isCapability = (text: string): boolean => CAPABILITY.test(text)

/**
 * Hashes a token. A fast hash is enough, because tokens are random.
 * @param encoding `utf8` hashes the token's characters instead of its decoded bytes
 */
export const hashToken = (token: string, encoding: 'base64url' | 'utf8' = 'base64url'): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.from(token, encoding)).digest())

export const verifyToken = (token: string | undefined, hash: Uint8Array | null, encoding?: 'utf8'): boolean =>
  token !== undefined && hash?.length === 32 && timingSafeEqual(hashToken(token, encoding), hash)
