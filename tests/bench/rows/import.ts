import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { topics } from '#server/seed/texts.ts'
import type { Installation, InstallationFactory } from '#tests/bench/installations.ts'
import type { Figures } from '#tests/bench/report.ts'

const POSTS_PER_THREAD = 50
const ROWS_PER_STATEMENT = 1000
const FIRST_TIME = 1_400_000_000
/** mean age of a board's thread when its next post is written, in threads */
const OPEN_THREADS = 100

/** Measures an import of a dump of vichan without images into an empty site. @returns seconds */
export async function timeImport(installation: Installation, posts: number): Promise<number> {
  const dump = join(tmpdir(), `dump-${posts}.sql`)
  try {
    await writeDump(dump, posts)
    const start = performance.now()
    await installation.command(['import', 'vichan', dump])
    return (performance.now() - start) / 1000
  } finally {
    await rm(dump, { force: true })
  }
}

/** Measures an import, and checks that it is complete. */
export async function measureImport(factory: InstallationFactory, posts: number): Promise<Figures> {
  const installation = await factory.create()
  try {
    const seconds = await timeImport(installation, posts)
    const database = await installation.open()
    const [count] = await database.sql<{ posts: number }[]>`select count(*)::int as posts from post`
    await database.close()
    if (count?.posts !== posts) throw new Error(`The import wrote ${count?.posts} of ${posts} posts`)
    return { minutes: seconds / 60, 'posts per s': posts / seconds }
  } finally {
    await installation.remove()
  }
}

/** Writes the posts of open threads in turn, as they are in a real dump: a thread's posts are not next to each other. */
async function writeDump(path: string, posts: number): Promise<void> {
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

const COLUMNS = ['id', 'thread', 'subject', 'name', 'trip', 'capcode', 'body', 'time', 'files', 'sticky', 'locked']
const TEXTS = topics
  .flatMap(({ comments, details }) => [...comments, ...details])
  .filter((text) => !text.includes('{'))
  .map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/['\\]/g, '\\$&'))

function createRow(id: number, thread: number | null): string {
  const text = TEXTS[(id * 7) % TEXTS.length]
  const quoted =
    thread !== null && id % 3 === 0
      ? `<a onclick="highlightReply(\\'${thread}\\', event);" href="/b/res/${thread}.html#${thread}">&gt;&gt;${thread}</a><br/>`
      : ''
  const line = id % 5 === 0 ? '<span class="quote">&gt;implying it works</span><br/>' : ''
  const subject = thread === null ? `'Thread ${id}'` : 'NULL'
  return `(${id},${thread ?? 'NULL'},${subject},'Anonymous',NULL,NULL,'${quoted}${line}${text}',${FIRST_TIME + id * 10},NULL,0,0)`
}
