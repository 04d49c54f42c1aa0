import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ask, askOnce, encode } from '#tests/bench/connection.ts'
import { median, medians } from '#tests/bench/figures.ts'
import { inTurn, type Load, type Measured, measure } from '#tests/bench/load.ts'
import { columnsOf, loadOf, type Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import { type Server, startBare } from '#tests/bench/servers.ts'

export const pathsOf = ({ seeded }: Pick<Run, 'seeded'>) => ({
  home: '/',
  board: `/dtpchan/board/${BOARD}`,
  thread: `/dtpchan/board/${BOARD}/thread/${seeded.busy}`,
})

/** As browsers ask for a page. */
export const asBrowser = (path: string, encoding = 'br', more: Record<string, string> = {}): Ask => ({
  path,
  headers: { accept: 'text/html', 'accept-encoding': encoding, ...more },
})

/** Of the site's own headers those that a handler would set itself. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

type Compared = { name: string; ask: Ask; status: number }

/** Finished pages from memory, each by turns with a bare handler that sends the same bytes under the same headers. */
export async function cachedPages(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const etag = (await askOnce(site.port, asBrowser(thread))).headers.etag
  const compared: Compared[] = [
    { name: 'thread, brotli', ask: asBrowser(thread), status: 200 },
    { name: 'thread, identity', ask: asBrowser(thread, 'identity'), status: 200 },
    { name: 'board, brotli', ask: asBrowser(board), status: 200 },
    { name: 'home, brotli', ask: asBrowser(home), status: 200 },
    ...(etag ? [{ name: 'thread, 304', ask: asBrowser(thread, 'br', { 'if-none-match': etag }), status: 304 }] : []),
  ]
  const { bare, close } = await startBareWith(run, site, compared)
  try {
    for (const [index, page] of compared.entries()) {
      await comparePage(run, page, { server: bare, ask: { ...page.ask, path: `/${index}` } }, site)
    }
    // Of the headers a page has, our own policy is the better part: what they cost alone.
    const ask = { ...asBrowser(thread), path: '/plain' }
    const plain = await measure(bare, loadOf(run), inTurn([encode(ask)]))
    run.add('pages from memory', 'bare, thread, brotli, without headers', columnsOf(plain))
  } finally {
    await close()
  }
}

/** By turns, for what else the machine does in a second falls on both; the middle one of several pairs counts. */
async function comparePage(run: Run, page: Compared, other: { server: Server; ask: Ask }, site: Server): Promise<void> {
  const load = loadOf(run, { status: page.status })
  const [bares, sites]: [Measured[], Measured[]] = [[], []]
  for (let pair = 0; pair < run.pairs; pair++) {
    bares.push(await measure(other.server, load, inTurn([encode(other.ask)])))
    sites.push(await measure(site, load, inTurn([encode(page.ask)])))
  }
  const ratio = (of: (measured: Measured) => number | null) =>
    median(sites.map((one, at) => (of(one) ?? Number.NaN) / (of(bares[at] as Measured) ?? Number.NaN)))
  run.add('pages from memory', `bare, ${page.name}`, columnsOf(medians(bares)))
  run.add('pages from memory', page.name, {
    ...columnsOf(medians(sites)),
    'of bare': ratio(({ perSecond }) => perSecond),
    'CPU of bare': ratio(({ cpu }) => cpu),
    'p99 of bare': ratio(({ p99 }) => p99),
  })
}

async function startBareWith(run: Run, site: Server, pages: Compared[]) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-bare-'))
  const routes = []
  for (const [index, { ask, status }] of pages.entries()) {
    const answer = await askOnce(site.port, ask)
    if (answer.status !== status) throw new Error(`${ask.path}: ${answer.status} in place of ${status}`)
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OF_THE_CONNECTION.has(name)))
    const file = status === 200 ? join(dir, String(index)) : null
    if (file) await writeFile(file, answer.body)
    routes.push({ path: `/${index}`, status, headers, file })
    if (index === 0) routes.push({ path: '/plain', status, headers: { 'content-type': 'text/html' }, file })
  }
  const manifest = join(dir, 'manifest.json')
  await writeFile(manifest, JSON.stringify(routes))
  const bare = await startBare(manifest, run.cores)
  return {
    bare,
    close: async () => {
      await bare.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A page that is rendered for each request; few at once: more would only wait, and what is asked for is CPU. */
export const renderedPage = (run: Run, site: Server, path: string, more: Partial<Load> = {}) =>
  measure(site, loadOf(run, { connections: 4, ...more }), inTurn([encode(asBrowser(path, 'identity'))]))
