import sharp from 'sharp'
import { encode } from '#tests/bench/connection.ts'
import { preparePosts, THREADS } from '#tests/bench/forms.ts'
import { eachOnce, measure, repeatAll, runLoad } from '#tests/bench/load.ts'
import { createLoad, type Run, toColumns } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { pageRequest, pathsOf } from './pages.ts'

/** More posts than one core can handle, so that the prepared posts never run out. */
const MAX_PER_SECOND = 1000
const MAX_IMAGES_PER_SECOND = 60
/** Load from the readers of one thread. */
const READERS = { connections: 20, everyMs: 50 }
/** Posts per second on the thread that the readers request. */
const BUSY_POSTS = 20

const comments = (thread: number) => `${THREADS}/${thread}/comments`

/** Measures comments that are spread over many threads. */
export async function measureComments(
  { seeded, ...run }: Pick<Run, 'seeded' | 'seconds'>,
  site: Server,
  seconds = run.seconds,
) {
  const { others } = seeded
  const load = createLoad({ seconds })
  const count = Math.ceil((load.seconds + load.warmUp.seconds) * MAX_PER_SECOND)
  const posts = await preparePosts(site.port, count, (number) => comments(others[number % others.length] as number))
  return measure(site, load, eachOnce(posts))
}

/** Measures each kind of post without other load. */
export async function posts(run: Run, site: Server): Promise<void> {
  const load = createLoad(run)
  const seconds = load.seconds + load.warmUp.seconds
  const last = run.seeded.others.at(-1) as number
  run.add('posts', 'comments on many threads', toColumns(await measureComments(run, site)))
  const one = await preparePosts(site.port, Math.ceil(seconds * MAX_PER_SECOND), () => comments(last))
  run.add('posts', 'comments, all on one thread', toColumns(await measure(site, load, eachOnce(one))))

  const image = new File([new Uint8Array(await createPhoto())], 'photo.jpg', { type: 'image/jpeg' })
  const withImages = await preparePosts(
    site.port,
    Math.ceil(seconds * MAX_IMAGES_PER_SECOND),
    (number) => comments(run.seeded.others[number % run.seeded.others.length] as number),
    { image },
  )
  const slow = { ...load, atLeast: 20, warmUp: { ...load.warmUp, atLeast: 10 } }
  run.add('posts', 'comments with an image, 640×480', toColumns(await measure(site, slow, eachOnce(withImages))))
}

/** Measures new threads. Runs last, because new threads push all other threads down the board. */
export async function newThreads(run: Run, site: Server): Promise<void> {
  const load = createLoad(run)
  const count = Math.ceil((load.seconds + load.warmUp.seconds) * MAX_PER_SECOND)
  const sent = await preparePosts(site.port, count, () => THREADS, { title: 'A thread among many' })
  run.add('posts', 'new threads', toColumns(await measure(site, load, eachOnce(sent))))
}

/** Measures readers of a cached thread: without posts, with posts on that thread, and with posts on other threads. */
export async function readersDuringPosts(run: Run, site: Server): Promise<void> {
  const { seconds } = run
  const thread = pathsOf(run).thread
  const read = async (name: string, posts: Buffer[], writing: { connections: number; everyMs?: number }) => {
    const reading = runLoad(site.port, { ...READERS, seconds }, repeatAll([encode(pageRequest(thread))]))
    const written = runLoad(site.port, { ...writing, seconds }, eachOnce(posts))
    const [readers, writers] = await Promise.all([reading, written])
    const columns = { 'reads per s': readers.times.length / readers.seconds, ...timesOf(readers.times) }
    const rate = posts.length > 0 ? writers.times.length / writers.seconds : 0
    run.add('20 readers of a cached thread', name, { ...columns, 'posts per s': rate })
  }
  await runLoad(site.port, { connections: 4, seconds: 0.5 }, repeatAll([encode(pageRequest(thread))]))
  await read('no posts', [], { connections: 1 })
  const busy = await preparePosts(site.port, seconds * BUSY_POSTS, () => comments(run.seeded.busy))
  await read(`${BUSY_POSTS} posts per second on it`, busy, { connections: 4, everyMs: 4000 / BUSY_POSTS })
  const many = run.seeded.others
  const all = await preparePosts(site.port, seconds * MAX_PER_SECOND, (at) =>
    comments(many[at % many.length] as number),
  )
  await read('maximum posts on other threads', all, { connections: 8 })
}

const timesOf = (times: Float64Array) => ({
  'p50 ms': percentile(times, 0.5),
  'p99 ms': percentile(times, 0.99),
  'max ms': times.at(-1) ?? null,
})

/** Creates a blurred noise image, which costs an encoder about as much as a photo. */
async function createPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const small = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer()
  return sharp(small).resize(640, 480).jpeg({ quality: 85 }).toBuffer()
}
