import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { type HonestPosters, honestText, measureWaits } from './honestPosters.ts'
import { pathsOf } from './pages.ts'
import { postComment } from './raidPosts.ts'
import { RaidSolver } from './raidSolver.ts'
import type { ReadersTask } from './readers.child.ts'

/** 10,000 posts in ten minutes. With --quick, the raids have the same rate and last two minutes. */
const POSTS_PER_SECOND = 10_000 / 600
const ADDRESSES = 5000
/** One of ten posts comes from an address that a regular also uses. */
const SHARED_EXIT = '203.0.113.1'
const SHARED_SHARE = 10
const READERS_PROGRAM = fileURLToPath(new URL('readers.child.ts', import.meta.url))
const READERS = { connections: 20, everyMs: 100 }
const CONNECTIONS = 8
const REGULARS = Array.from({ length: 5 }, (_, number) => `198.51.${number}.7`)

const HONEST_POSTERS: HonestPosters = {
  // Each network may post once in two minutes.
  regulars: { everyMs: 26_000, addressOf: (number) => REGULARS[number % REGULARS.length] as string },
  strangers: { everyMs: 62_000, addressOf: (number) => `192.0.${number >> 8}.${number & 255}` },
  'shared exit': { everyMs: 130_000, addressOf: () => SHARED_EXIT },
}

/** Returns words that differ from each other and from those of other calls. */
const randomWords = (count: number) =>
  Array.from({ length: count }, () =>
    Math.random()
      .toString(36)
      .replace(/[^a-z]/g, ''),
  ).join(' ')
/** Returns words that honest visitors use. Two calls seldom return two words of the same. */
const knownWords = (count: number) =>
  Array.from({ length: count }, () => {
    const words = honestText().split(' ')
    return words[Math.trunc(Math.random() * words.length)]
  }).join(' ')
const PITCH = 'Leave this dead board and join our new chat, everyone is there'
const SPAM_VARIANTS: ((number: number) => string)[] = [
  (number) => `Buy spam ${number}`,
  (number) => `${PITCH} ${(number * 7_919_017).toString(16)}`,
  () => `${randomWords(2)} ${PITCH} ${randomWords(4)}`,
  () =>
    PITCH.split(' ')
      .sort(() => Math.random() - 0.5)
      .join(' '),
  () => `Look at this https://spam.example/${randomWords(1)}`,
]

/** Raids a site without and with repeated texts. Honest visitors post without script, and readers read. */
export async function raid(run: Run, site: Server): Promise<void> {
  for (const address of [...REGULARS, SHARED_EXIT]) await postComment(run, site, { address, content: honestText() })
  const database = await run.installation.open()
  const read = (seconds: number) => readPages({ ...READERS, seconds, port: site.port, path: pathsOf(run).thread })
  try {
    // The regulars posted an hour before.
    await database.sql`update post set created_at = created_at - interval '1 hour' where author = 'writer'`
    const seconds = run.quick ? 120 : 600
    await read(2)
    const idle = await read(20)
    const measureRaid = async (name: string, author: string, text: (number: number) => string) => {
      const end = performance.now() + seconds * 1000
      const [spammers, waits, readers] = await Promise.all([
        spam(run, site, { seconds, end, author, text }),
        measureWaits(run, site, HONEST_POSTERS, end),
        read(seconds),
      ])
      const [visible] = await database.sql<{ count: number }[]>`
        select count(*)::int as count from post where author = ${author} and state = 'live'`
      run.add('raid', `${name}, ${seconds / 60} min`, {
        ...spammers,
        'visible spam': visible?.count ?? null,
        ...waits,
        'idle p99 ms': idle.p99,
        'raid p99 ms': readers.p99,
        'p99 / idle': readers.p99 / idle.p99,
      })
    }
    await measureRaid(
      'repeated texts',
      'repeater',
      (number) => SPAM_VARIANTS[number % SPAM_VARIANTS.length]?.(number) ?? '',
    )
    await measureRaid('random letters', 'randomizer', () => randomWords(8))
    await measureRaid('words of the site', 'parrot', () => knownWords(8))
  } finally {
    await database.close()
  }
}

/** Reads pages in a process of its own: spammers in the same process would delay it, which would count as response time. */
async function readPages(task: ReadersTask): Promise<{ p50: number; p99: number }> {
  const child = fork(READERS_PROGRAM)
  child.send(task)
  const failed = once(child, 'exit').then(() => {
    throw new Error('The readers ended before they had read the pages')
  })
  const [times] = await Promise.race([once(child, 'message'), failed])
  return times
}

type Spam = { seconds: number; end: number; author: string; text: (number: number) => string }

/** Sends posts at a fixed rate. One solver at a time solves proofs of work. */
async function spam(run: Run, site: Server, { seconds, end, author, text }: Spam) {
  const counts = { sent: 0, solved: 0, refused: 0 }
  const solver = new RaidSolver()
  let solved: Promise<unknown> | null = null
  const start = performance.now()
  const total = Math.round(POSTS_PER_SECOND * seconds)
  const send = async () => {
    while (counts.sent < total && performance.now() < end) {
      const number = counts.sent++
      const wait = start + (number * 1000) / POSTS_PER_SECOND - performance.now()
      if (wait > 0) await sleep(wait)
      const index = number % ADDRESSES
      const address = number % SHARED_SHARE === 0 ? SHARED_EXIT : `10.${index >> 8}.${index & 255}.9`
      const post = { address, content: text(number), author }
      if (solved) {
        counts.refused += (await postComment(run, site, post)) < 300 ? 0 : 1
        continue
      }
      // Solves in parallel with the other posts.
      solved = postComment(run, site, { ...post, solver })
        .then(() => counts.solved++)
        .finally(() => {
          solved = null
        })
    }
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, send))
    await solved
  } finally {
    solver.close()
  }
  return counts
}
