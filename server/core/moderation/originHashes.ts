import { createHmac } from 'node:crypto'
import { rangeOf, visitorNetwork } from '#server/core/limits/networks.ts'
import type { BanWidth } from '#src/contract/moderation.ts'

/** Keyed hashes of a visitor's networks. */
export type OriginHashes = Record<BanWidth, Uint8Array>

/** @returns null if the address is unknown, because the client has already disconnected */
export function hashOrigin(key: Uint8Array, address: string): OriginHashes | null {
  const [host, range] = [visitorNetwork(address), rangeOf(address)]
  if (range === null) return null
  return { host: hmac(key, `host\n${host}`), range: hmac(key, `range\n${range}`) }
}

const hmac = (key: Uint8Array, text: string) => new Uint8Array(createHmac('sha256', key).update(text).digest())
