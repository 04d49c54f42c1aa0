import { setTimeout as sleep } from 'node:timers/promises'
import { topics } from '#server/seed/texts.ts'
import type { Figures } from '#tests/bench/report.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { pathsOf } from './pages.ts'
import { postComment } from './raidPosts.ts'

export type HonestPosters = Record<string, { everyMs: number; addressOf: (number: number) => string }>

/** No honest post begins later than this time before the end of the raid. */
const LAST_MS = 62_000
const GIVE_UP_MS = 120_000
/** A visitor whose network has posted too often tries again after this time. */
const RETRY_MS = 5000
const POLL_MS = 500

const sentences = topics
  .flatMap(({ comments, details }) => [...comments, ...details])
  .filter((text) => !/[{&<>"']/.test(text))
let count = 0
/** Returns a text that no other post has. */
export const honestText = () => `${sentences[count % sentences.length]} (${count++})`

/** Lets visitors post without a proof of work. @returns for each kind, the longest wait in seconds until a post is visible */
export async function measureWaits(run: Run, site: Server, posters: HonestPosters, end: number): Promise<Figures> {
  const rows = await Promise.all(
    Object.entries(posters).map(async ([name, { everyMs, addressOf }]) => {
      const waits = await postAll(run, site, everyMs, addressOf, end)
      const seen = waits.filter((wait) => wait !== null)
      return {
        [`${name}: posts`]: waits.length,
        [`${name}: longest wait s`]: seen.length > 0 ? Math.max(...seen) : null,
        [`${name}: not visible after 2 min`]: waits.length - seen.length,
      }
    }),
  )
  return Object.assign({}, ...rows)
}

async function postAll(run: Run, site: Server, everyMs: number, addressOf: (number: number) => string, end: number) {
  const waits: Promise<number | null>[] = []
  // The raid is detected within the first seconds.
  await sleep(5000)
  do {
    waits.push(measureWait(run, site, addressOf(waits.length)))
    await sleep(everyMs)
  } while (performance.now() < end - LAST_MS)
  return Promise.all(waits)
}

/** Returns the seconds until a new post is visible, or null if it is not within two minutes. */
async function measureWait(run: Run, site: Server, address: string): Promise<number | null> {
  const content = honestText()
  const from = performance.now()
  const isLate = () => performance.now() - from > GIVE_UP_MS
  while ((await postComment(run, site, { address, content })) === 429) {
    if (isLate()) return null
    await sleep(RETRY_MS)
  }
  while (!isLate()) {
    // Another encoding than that of the readers would cost the site another compression.
    const headers = { 'accept-encoding': 'br' }
    const response = await fetch(`http://127.0.0.1:${site.port}${pathsOf(run).thread}`, { headers })
    if ((await response.text()).includes(`${content}<`)) return (performance.now() - from) / 1000
    await sleep(POLL_MS)
  }
  return null
}
