import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode, type RequestSpec, sendOnce } from '#tests/bench/connection.ts'
import { type Load, type Measured, measure, repeatAll } from '#tests/bench/load.ts'
import { createLoad, type Run, toColumns } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import { type Server, startBare } from '#tests/bench/servers.ts'
import { median, medians } from '#tests/bench/statistics.ts'

export const pathsOf = ({ seeded }: Pick<Run, 'seeded'>) => ({
  home: '/',
  board: `/dtpchan/board/${BOARD}`,
  thread: `/dtpchan/board/${BOARD}/thread/${seeded.busy}`,
})

export const pageRequest = (path: string, encoding = 'br', more: Record<string, string> = {}): RequestSpec => ({
  path,
  headers: { accept: 'text/html', 'accept-encoding': encoding, ...more },
})

/** Headers that Node or Fastify adds, so the bare server must not copy them. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

type Compared = { name: string; spec: RequestSpec; status: number }

/** Measures cached pages and compares each page with a bare server that sends the same bytes and headers. */
export async function cachedPages(run: Run, site: Server): Promise<void> {
  const { home, board, thread } = pathsOf(run)
  const etag = (await sendOnce(site.port, pageRequest(thread))).headers.etag
  const compared: Compared[] = [
    { name: 'thread, brotli', spec: pageRequest(thread), status: 200 },
    { name: 'thread, identity', spec: pageRequest(thread, 'identity'), status: 200 },
    { name: 'board, brotli', spec: pageRequest(board), status: 200 },
    { name: 'home, brotli', spec: pageRequest(home), status: 200 },
    ...(etag ? [{ name: 'thread, 304', spec: pageRequest(thread, 'br', { 'if-none-match': etag }), status: 304 }] : []),
  ]
  const { bare, close } = await startBareWith(run, site, compared)
  try {
    for (const [index, page] of compared.entries()) {
      await comparePage(run, page, { server: bare, spec: { ...page.spec, path: `/${index}` } }, site)
    }
    // Measures the same page without security headers, to show what these headers cost.
    const spec = { ...pageRequest(thread), path: '/plain' }
    const plain = await measure(bare, createLoad(run), repeatAll([encode(spec)]))
    run.add('cached pages', 'bare, thread, brotli, without headers', toColumns(plain))
  } finally {
    await close()
  }
}

/** Alternates between both servers, so that other load affects them equally. Reports medians of all pairs. */
async function comparePage(
  run: Run,
  page: Compared,
  other: { server: Server; spec: RequestSpec },
  site: Server,
): Promise<void> {
  const load = createLoad(run, { status: page.status })
  const [bares, sites]: [Measured[], Measured[]] = [[], []]
  for (let pair = 0; pair < run.pairs; pair++) {
    bares.push(await measure(other.server, load, repeatAll([encode(other.spec)])))
    sites.push(await measure(site, load, repeatAll([encode(page.spec)])))
  }
  const ratio = (read: (measured: Measured) => number | null) =>
    median(sites.map((site, index) => (read(site) ?? Number.NaN) / (read(bares[index] as Measured) ?? Number.NaN)))
  run.add('cached pages', `bare, ${page.name}`, toColumns(medians(bares)))
  run.add('cached pages', page.name, {
    ...toColumns(medians(sites)),
    '/ bare': ratio(({ perSecond }) => perSecond),
    'CPU / bare': ratio(({ cpu }) => cpu),
    'p99 / bare': ratio(({ p99 }) => p99),
  })
}

async function startBareWith(run: Run, site: Server, pages: Compared[]) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-bare-'))
  const routes = []
  for (const [index, { spec, status }] of pages.entries()) {
    const response = await sendOnce(site.port, spec)
    if (response.status !== status) throw new Error(`${spec.path}: ${response.status} instead of ${status}`)
    const headers = Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => !CONNECTION_HEADERS.has(name)),
    )
    const file = status === 200 ? join(dir, String(index)) : null
    if (file) await writeFile(file, response.body)
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

/** Measures the CPU time of an uncached page. Uses few connections: more would only wait for the CPU. */
export const measureRendered = (run: Run, site: Server, path: string, more: Partial<Load> = {}) =>
  measure(site, createLoad(run, { connections: 4, ...more }), repeatAll([encode(pageRequest(path, 'identity'))]))
