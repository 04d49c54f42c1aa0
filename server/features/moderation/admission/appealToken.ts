import { createHmac, timingSafeEqual } from 'node:crypto'

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

const sign = (key: Uint8Array, banId: number) => createHmac('sha256', key).update(`appeal ${banId}`).digest()

/** Creates a token that lets a banned visitor appeal, without an account and from any address. */
export const createAppealToken = (key: Uint8Array, banId: number): string =>
  `${banId}.${sign(key, banId).toString('base64url')}`

/** @returns the ban's id, or null for an invalid token */
export function verifyAppealToken(key: Uint8Array, token: string): number | null {
  const [, id, mac = ''] = TOKEN.exec(token) ?? []
  const given = Buffer.from(mac, 'base64url')
  return id !== undefined && given.length === 32 && timingSafeEqual(given, sign(key, Number(id))) ? Number(id) : null
}
