import { createHmac } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { origin } from '#db/schema/index.ts'

/** The same length as the ids of 4chan. */
const LABEL_LENGTH = 8

/** Returns the secret from which a host's labels of all threads follow. Nobody can repeat it when the key is destroyed. */
export const createLabelKey = (key: Uint8Array, host: Uint8Array): Uint8Array =>
  new Uint8Array(createHmac('sha256', key).update('thread label\n').update(host).digest())

/**
 * Returns the label of a host in a thread, in SQL, because the number of a new thread is known only there. A hash of a
 * secret key and a number of fixed length needs no HMAC.
 */
export const labelInThread = (labelKey: Uint8Array, threadId: SQL): SQL<string> =>
  sql`left(encode(sha256(${sql.param(labelKey, origin.host)}::bytea || int8send(${threadId})), 'base64'), ${LABEL_LENGTH}::int)`
