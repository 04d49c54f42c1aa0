import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { topics } from '#server/seed/texts.ts'
import { Connection, encode } from '#tests/bench/connection.ts'
import type { InstallationFactory } from '#tests/bench/installations.ts'
import { cpuOf } from '#tests/bench/machine.ts'
import type { Figures } from '#tests/bench/report.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { pageRequest } from './pages.ts'

/** The same rate for each build. The time of a page counts from when it was due, so that stalls count. */
const READ_EVERY_MS = 500
const POSTS_PER_THREAD = 50
const ROWS_PER_STATEMENT = 1000
const FIRST_TIME = 1_400_000_000
/** mean age of a board's thread when its next post is written, in threads */
const OPEN_THREADS = 100

/**
 * Measures an import of a dump of vichan without images into a running site, and the time of its pages meanwhile.
 * Checks that the import is complete.
 */
export async function measureImport(factory: InstallationFactory, posts: number, root?: string): Promise<Figures> {
  const installation = await factory.create(root)
  const dump = join(tmpdir(), `dump-${posts}.sql`)
  try {
    await writeDump(dump, posts)
    const site = await installation.start()
    try {
      const reader = readPages(site.port, posts)
      const start = performance.now()
      const siteCpu = cpuOf(site.pid) ?? Number.NaN
      const command = await installation.command(['import', 'vichan', dump])
      const seconds = (performance.now() - start) / 1000
      const cpu = { site: (cpuOf(site.pid) ?? Number.NaN) - siteCpu, command: command.cpu }
      const times = await reader.stop()
      const database = await installation.open()
      const [count] = await database.sql<{ posts: number }[]>`select count(*)::int as posts from post`
      await database.close()
      if (count?.posts !== posts) throw new Error(`The import wrote ${count?.posts} of ${posts} posts`)
      return {
        'posts per s': posts / seconds,
        'peak MB': command.peak,
        'CPU µs per post': ((cpu.site + cpu.command) * 1000) / posts,
        'of the command': (cpu.command * 1000) / posts,
        'page p50, ms': percentile(times, 0.5),
        'page p95, ms': percentile(times, 0.95),
        'page max, ms': times.at(-1) ?? Number.NaN,
      }
    } finally {
      await site.stop()
    }
  } finally {
    await rm(dump, { force: true })
    await installation.remove()
  }
}

/** Requests pages, of which threads are in no cache, until it is stopped. @returns times in ms, shortest first */
function readPages(port: number, posts: number): { stop: () => Promise<Float64Array> } {
  const connection = new Connection(port)
  const times: number[] = []
  let isStopped = false
  const read = async () => {
    let due = performance.now()
    for (let at = 0; !isStopped; at++, due += READ_EVERY_MS) {
      const thread = 1 + ((at * 7919) % posts)
      const path = ['/', '/dtpchan', '/dtpchan/board/b', `/dtpchan/board/b/thread/${thread}`][at % 4] as string
      await sleep(Math.max(0, due - performance.now()))
      const { status } = await connection.send(encode(pageRequest(path)))
      // The board and the thread may not be there yet.
      if (status !== 200 && status !== 404) throw new Error(`${path}: ${status}`)
      times.push(performance.now() - due)
    }
    connection.close()
  }
  const reading = read()
  reading.catch(() => {})
  return {
    stop: async () => {
      isStopped = true
      await reading
      return Float64Array.from(times).sort()
    },
  }
}

/** Writes the posts of open threads in turn, as they are in a real dump: a thread's posts are not next to each other. */
export async function writeDump(path: string, posts: number): Promise<void> {
  const out = createWriteStream(path)
  out.write(
    "CREATE TABLE `boards` (\n  `uri` text,\n  `title` text,\n  `subtitle` text\n);\nINSERT INTO `boards` VALUES ('b','Random','');\n",
  )
  out.write(`CREATE TABLE \`posts_b\` (\n${COLUMNS.map((name) => `  \`${name}\` text`).join(',\n')}\n);\n`)
  const open: { id: number; left: number }[] = []
  let rows: string[] = []
  for (let id = 1; id <= posts; id++) {
    const slot = id % OPEN_THREADS
    const current = open[slot]
    const isOpening = !current || current.left === 0
    if (isOpening) open[slot] = { id, left: POSTS_PER_THREAD - 1 }
    else current.left--
    rows.push(createRow(id, isOpening ? null : current.id))
    if (rows.length < ROWS_PER_STATEMENT && id < posts) continue
    if (!out.write(`INSERT INTO \`posts_b\` VALUES ${rows.join()};\n`)) await once(out, 'drain')
    rows = []
  }
  out.end()
  await once(out, 'finish')
}

const COLUMNS =
  'id thread subject email name trip capcode body body_nomarkup time bump files num_files filehash password ip sticky locked cycle sage embed slug'.split(
    ' ',
  )
const TEXTS = topics
  .flatMap(({ comments, details }) => [...comments, ...details])
  .filter((text) => !text.includes('{'))
  .map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/['\\]/g, '\\$&'))
/** sentences of a post: a quarter of a real board's posts are one line, some are long */
const LENGTHS = [1, 2, 3, 1, 4, 9]

/** Has all columns of vichan, also those that are not imported. */
function createRow(id: number, thread: number | null): string {
  const lines = Array.from(
    { length: LENGTHS[id % LENGTHS.length] ?? 1 },
    (_, at) => TEXTS[(id * 7 + at * 13) % TEXTS.length],
  )
  const quoted =
    thread !== null && id % 3 === 0
      ? `<a onclick="highlightReply(\\'${thread}\\', event);" href="/b/res/${thread}.html#${thread}">&gt;&gt;${thread}</a><br/>`
      : ''
  const green = id % 5 === 0 ? '<span class="quote">&gt;implying it works</span><br/>' : ''
  const subject = thread === null ? `'Thread ${id}'` : 'NULL'
  const time = FIRST_TIME + id * 10
  const texts = `'${quoted}${green}${lines.join('<br/>')}','${lines.join('\\n')}'`
  return `(${id},${thread ?? 'NULL'},${subject},NULL,'Anonymous',NULL,NULL,${texts},${time},${time},NULL,0,NULL,'9f86d081884c7d65','192.0.2.${id % 250}',0,0,0,0,NULL,NULL)`
}
