import { createHmac, timingSafeEqual } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { RADIO_MARK } from '#src/contract/authorName.ts'

/** 66 bits: nobody finds another secret with the same code. */
const CODE_LENGTH = 11

/** Returns the code of an author's secret. Without the site's key, nobody can try secrets for a code. */
export const createTripcode = (key: Uint8Array, secret: string): string =>
  `!!${hmac(key, `secret\n${secret.normalize('NFC')}`)
    .toString('base64url')
    .slice(0, CODE_LENGTH)}`

/** A post with a tripcode, as an export describes it. */
export type SignedPost = {
  board: string
  number: number
  /** in milliseconds */
  time: number
  author: string
  text: string
  tripcode: string
}

/** Proves to an import that this site, with this key, published the post with this tripcode. */
export const proveTripcode = (key: Uint8Array, { board, number, time, author, text, tripcode }: SignedPost): string =>
  hmac(key, `post\n${JSON.stringify([board, number, time, author, text, tripcode])}`).toString('base64url')

export function isProvenTripcode(key: Uint8Array, post: SignedPost, proof: string): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(proveTripcode(key, post))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()

/** Returns a condition for posts that the site did not write. @param row alias of the post in the statement */
export const isByVisitor = (row: string): SQL => sql`${sql.raw(row)}.tripcode is distinct from ${RADIO_MARK}`
