import sharp from 'sharp'
import { encode } from '#tests/bench/connection.ts'
import { percentile } from '#tests/bench/figures.ts'
import { preparePosts, THREADS } from '#tests/bench/forms.ts'
import { drive, inTurn, measure, once } from '#tests/bench/load.ts'
import { columnsOf, loadOf, type Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { asBrowser, pathsOf } from './pages.ts'

/** More than a core can take in the time: none of the measured seconds is to be without posts. */
const MOST_PER_SECOND = 1000
const MOST_PICTURES_PER_SECOND = 60
/** Readers of one thread, and how often each looks. */
const READERS = { connections: 20, everyMs: 50 }
/** what a thread that everybody looks at gets in a second */
const BUSY_POSTS = 20

const comments = (thread: number) => `${THREADS}/${thread}/comments`

/** Comments on many threads: the row that says how many posts a second. */
export async function postComments(run: Run, site: Server, seconds = run.seconds) {
  const { others } = run.seeded
  const load = loadOf({ seconds })
  const count = Math.ceil((load.seconds + load.warmUp.seconds) * MOST_PER_SECOND)
  const posts = await preparePosts(site.port, count, (number) => comments(others[number % others.length] as number))
  return measure(site, load, once(posts))
}

/** Posts a second, of each kind, with nobody else there. */
export async function posts(run: Run, site: Server): Promise<void> {
  const load = loadOf(run)
  const seconds = load.seconds + load.warmUp.seconds
  const last = run.seeded.others.at(-1) as number
  run.add('posts', 'comments on many threads', columnsOf(await postComments(run, site)))
  const one = await preparePosts(site.port, Math.ceil(seconds * MOST_PER_SECOND), () => comments(last))
  run.add('posts', 'comments, all on one thread', columnsOf(await measure(site, load, once(one))))

  const image = new File([new Uint8Array(await picture())], 'picture.jpg', { type: 'image/jpeg' })
  const pictured = await preparePosts(
    site.port,
    Math.ceil(seconds * MOST_PICTURES_PER_SECOND),
    (number) => comments(run.seeded.others[number % run.seeded.others.length] as number),
    { image },
  )
  const slow = { ...load, atLeast: 20, warmUp: { ...load.warmUp, atLeast: 10 } }
  run.add('posts', 'comments with a picture, 640×480', columnsOf(await measure(site, slow, once(pictured))))
}

/** New threads push all others down: measured last. */
export async function newThreads(run: Run, site: Server): Promise<void> {
  const load = loadOf(run)
  const count = Math.ceil((load.seconds + load.warmUp.seconds) * MOST_PER_SECOND)
  const sent = await preparePosts(site.port, count, () => THREADS, { title: 'A thread among many' })
  run.add('posts', 'new threads', columnsOf(await measure(site, load, once(sent))))
}

/** Readers of a thread in memory: alone, while it is written to, and while others are. */
export async function readersMeanwhile(run: Run, site: Server): Promise<void> {
  const { seconds } = run
  const thread = pathsOf(run).thread
  const read = async (name: string, posts: Buffer[], writing: { connections: number; everyMs?: number }) => {
    const reading = drive(site.port, { ...READERS, seconds }, inTurn([encode(asBrowser(thread))]))
    const written = drive(site.port, { ...writing, seconds }, once(posts))
    const [readers, writers] = await Promise.all([reading, written])
    const columns = { 'reads per s': readers.times.length / readers.seconds, ...timesOf(readers.times) }
    const rate = posts.length > 0 ? writers.times.length / writers.seconds : 0
    run.add('20 readers of a thread in memory', name, { ...columns, 'posts per s': rate })
  }
  await drive(site.port, { connections: 4, seconds: 0.5 }, inTurn([encode(asBrowser(thread))]))
  await read('nobody posts', [], { connections: 1 })
  const busy = await preparePosts(site.port, seconds * BUSY_POSTS, () => comments(run.seeded.busy))
  await read(`${BUSY_POSTS} posts a second on it`, busy, { connections: 4, everyMs: 4000 / BUSY_POSTS })
  const many = run.seeded.others
  const all = await preparePosts(site.port, seconds * MOST_PER_SECOND, (at) =>
    comments(many[at % many.length] as number),
  )
  await read('as many posts as it takes on others', all, { connections: 8 })
}

const timesOf = (times: Float64Array) => ({
  'p50 ms': percentile(times, 0.5),
  'p99 ms': percentile(times, 0.99),
  'worst ms': times.at(-1) ?? null,
})

/** Soft noise: of all that can be generated it costs an encoder about what a photo does. */
async function picture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const small = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  return sharp(small).resize(640, 480).jpeg({ quality: 85 }).toBuffer()
}
