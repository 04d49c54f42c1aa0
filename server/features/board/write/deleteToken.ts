import { createHmac, timingSafeEqual } from 'node:crypto'

/** Creates the token with which the author of a post can delete it. */
export const createDeleteToken = (key: Uint8Array, postId: number): string => sign(key, postId).toString('base64url')

export function verifyDeleteToken(key: Uint8Array, token: string, postId: number): boolean {
  const given = Buffer.from(token, 'base64url')
  const expected = sign(key, postId)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const sign = (key: Uint8Array, postId: number) => createHmac('sha256', key).update(`post ${postId}`).digest()
