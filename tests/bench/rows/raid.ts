import { setTimeout as sleep } from 'node:timers/promises'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { Connection, encode } from '#tests/bench/connection.ts'
import { formPost, jsonPost, THREADS } from '#tests/bench/forms.ts'
import { repeatAll, runLoad } from '#tests/bench/load.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { pageRequest, pathsOf } from './pages.ts'

/** 10,000 posts in ten minutes. With --quick, the raid has the same rate and lasts a tenth of the time. */
const POSTS_PER_SECOND = 10_000 / 600
const ADDRESSES = 5000
/** One of ten posts comes from an address that a regular also uses. */
const SHARED_EXIT = '203.0.113.1'
const SHARED_SHARE = 10
const READERS = { connections: 20, everyMs: 100 }
const CONNECTIONS = 8
const REGULARS = 5
/** A regular posts this often; each is in another network. */
const REGULAR_EVERY_MS = 20_000

const SPAM = 'Buy spam'
const HONEST = 'An honest comment'

/** Raids a site with captcha and proof-of-work solvers. Regulars post without script, and readers read. */
export async function raid(run: Run, site: Server): Promise<void> {
  const seconds = run.quick ? 60 : 600
  const read = (seconds: number) =>
    runLoad(site.port, { ...READERS, seconds }, repeatAll([encode(pageRequest(pathsOf(run).thread))]))
  const regulars = Array.from({ length: REGULARS }, (_, number) => `198.51.${number}.7`)
  for (const address of [...regulars, SHARED_EXIT]) await post(run, site, address, `${HONEST} of before`)
  const database = await run.installation.open()
  try {
    // The regulars posted an hour before.
    await database.sql`update post set created_at = created_at - interval '1 hour' where content like ${`${HONEST}%`}`
    await read(2)
    const idle = await read(Math.min(20, seconds))
    const end = performance.now() + seconds * 1000
    const [spammers, waits, readers] = await Promise.all([
      spam(run, site, seconds, end),
      measureWaits(run, site, regulars, end),
      read(seconds),
    ])
    const [visible] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from post where content like ${`${SPAM}%`}`
    const [idleP99, raidP99] = [percentile(idle.times, 0.99), percentile(readers.times, 0.99)]
    run.add('raid', `${Math.round(seconds / 60)} min, ${spammers.sent} posts`, {
      'spam sent': spammers.sent,
      solved: spammers.solved,
      refused: spammers.refused,
      'visible spam': visible?.count ?? null,
      'longest wait s': waits.length > 0 ? Math.max(...waits) : null,
      'honest posts': waits.length,
      'idle p99 ms': idleP99,
      'raid p99 ms': raidP99,
      'p99 / idle': raidP99 / idleP99,
    })
  } finally {
    await database.close()
  }
}

/** Sends posts at a fixed rate. One solver at a time solves proofs of work. */
async function spam(run: Run, site: Server, seconds: number, end: number) {
  const counts = { sent: 0, solved: 0, refused: 0 }
  let solver: Promise<unknown> | null = null
  const start = performance.now()
  const total = Math.round(POSTS_PER_SECOND * seconds)
  const send = async () => {
    while (counts.sent < total && performance.now() < end) {
      const number = counts.sent++
      const wait = start + (number * 1000) / POSTS_PER_SECOND - performance.now()
      if (wait > 0) await sleep(wait)
      const index = number % ADDRESSES
      const address = number % SHARED_SHARE === 0 ? SHARED_EXIT : `10.${index >> 8}.${index & 255}.9`
      const text = `${SPAM} ${number}`
      if (solver) {
        counts.refused += (await post(run, site, address, text)) < 300 ? 0 : 1
        continue
      }
      // Solves in parallel with the other posts, on the load generator's core.
      solver = post(run, site, address, text, true)
        .then(() => counts.solved++)
        .finally(() => {
          solver = null
        })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  return counts
}

/** Lets regulars post without a proof. @returns the times in seconds until their posts were visible */
async function measureWaits(run: Run, site: Server, regulars: string[], end: number): Promise<number[]> {
  const waits: number[] = []
  const waiting: Promise<void>[] = []
  const last = end - 62_000
  for (let number = 0; number === 0 || performance.now() < last; number++) {
    await sleep(REGULAR_EVERY_MS / 4)
    const text = `${HONEST} ${number}`
    const from = performance.now()
    await post(run, site, regulars[number % regulars.length] as string, text)
    waiting.push(waitUntilVisible(site, run, text).then(() => void waits.push((performance.now() - from) / 1000)))
    await sleep((REGULAR_EVERY_MS * 3) / 4)
  }
  await Promise.all(waiting)
  return waits
}

const GIVE_UP_MS = 120_000

async function waitUntilVisible(site: Server, run: Run, text: string): Promise<void> {
  const path = pathsOf(run).thread
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    const response = await fetch(`http://127.0.0.1:${site.port}${path}`)
    if ((await response.text()).includes(`${text}<`)) return
    await sleep(500)
  }
}

/** Posts a comment with a solved captcha. @returns the status */
async function post(run: Run, site: Server, address: string, content: string, solves = false): Promise<number> {
  const connection = new Connection(site.port)
  const visitor = { 'x-forwarded-for': address }
  try {
    const { body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {}, visitor)))
    const { challengeId, question, proofOfWork: challenge } = JSON.parse(body.toString())
    if (!challengeId) return 429
    const fields: Record<string, string> = { challengeId, captchaAnswer: String(solveQuestion(question)) }
    if (solves && challenge) {
      const solution = await solveChallenge({ challenge, deriveKey, timeout: 300_000 })
      if (solution) fields.proofOfWork = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    }
    const path = `${THREADS}/${run.seeded.busy}/comments`
    const sent = await formPost(path, { content, author: 'writer', ...fields }, visitor)
    return (await connection.send(encode(sent))).status
  } finally {
    connection.close()
  }
}
