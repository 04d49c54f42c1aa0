import { setImmediate } from 'node:timers/promises'

/** About 2 ms of work. */
const POSTS = 16
let count = 0

/**
 * Lets the process handle answers of the database, after every few posts: an open transaction of the embedded database
 * keeps the whole site waiting.
 */
export async function giveWay(): Promise<void> {
  if (++count % POSTS === 0) await setImmediate()
}
