// `npm run bench [-- --quick] [--out FILE]`: what calls and pages cost, beside a bare handler in the same run.
// `npm run bench -- radio [--quick] [--out FILE]`: what listeners cost, beside an Icecast where there is one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { answerOf, formOf } from '../helpers/calls.ts'
import { type Ask, ask, type Load, type Measured, measure, runToEnd, type Server, startServer } from './measure.ts'
import { benchRadio } from './radio.ts'

const BOARD = '/dtpchan/board/technology'
const THREADS = '/api/dtpchan/boards/technology/threads'
const PAGE = { accept: 'text/html', 'accept-encoding': 'gzip, br' }

type Row = Measured & { name: string; ratio: number | null }

const {
  values: { quick, out },
  positionals: [what],
} = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
  allowPositionals: true,
})
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
const running: Server[] = []
const rows: Row[] = []

try {
  if (what === 'radio') await benchRadio(quick, out)
  else await benchCalls()
} finally {
  await Promise.all(running.map((server) => server.stop()))
  rmSync(dataDir, { recursive: true, force: true })
}

async function benchCalls(): Promise<void> {
  const bare = await started([fileURLToPath(new URL('bare.mjs', import.meta.url))])
  const site = await startSeededSite()
  // Never fewer: the system counts CPU in steps of 10 ms, and everything is divided by this.
  await row('bare handler', bare, { requests: 10_000, warmUp: 2000, atOnce: 4 }, () => ({ path: '/' }))
  await pasteRows(site)
  await imageRows(site)
  await boardRows(site)
  report()
}

/** As an operator runs it, on the embedded database; the seed needs the admin whom the first start makes. */
async function startSeededSite(): Promise<Server> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    THREAD_POST_LIMIT: '1000000',
    NEWS_FEEDS: '',
  }
  const first = await startServer(['dist/site/main.mjs'], env)
  await first.stop()
  await runToEnd(['dist/site/seed.mjs', '--threads', '60', '--comments', '250', '--pictures', '0'], env)
  return started(['dist/site/main.mjs'], env)
}

async function started(args: string[], env?: Record<string, string>): Promise<Server> {
  const server = await startServer(args, env)
  running.push(server)
  return server
}

function load(requests: number, atOnce = 4): Load {
  const count = quick ? Math.max(4, Math.round(requests / 10)) : requests
  return { requests: count, warmUp: Math.max(4, Math.round(count / 5)), atOnce }
}

async function row(name: string, server: Server, load: Load, makeAsk: (number: number) => Ask): Promise<void> {
  process.stderr.write(`${name}...\n`)
  const measured = await measure(server, load, makeAsk)
  const bare = rows[0]?.cpuMs
  rows.push({ name, ...measured, ratio: bare && measured.cpuMs !== null ? measured.cpuMs / bare : null })
}

async function pasteRows(site: Server): Promise<void> {
  const sizes = [
    { name: '1 kB', bytes: 1000, creates: 2000, reads: 4000 },
    { name: '100 kB', bytes: 100_000, creates: 400, reads: 1000 },
  ]
  const path = '/api/paste'
  for (const { name, bytes, creates } of sizes) {
    await row(`paste create ${name}`, site, load(creates), (number) => ({ path, ...newPaste(bytes, number) }))
  }
  for (const { name, bytes, reads } of sizes) {
    const ids: string[] = []
    for (let number = 0; number < 20; number++) {
      const { url } = JSON.parse(await ask(site.origin, { path, ...newPaste(bytes, number) }))
      ids.push(url.split('/').at(-1))
    }
    await row(`paste read ${name}`, site, load(reads), (number) => ({ path: `${path}/${ids[number % ids.length]}` }))
  }
}

function newPaste(bytes: number, number: number) {
  const line = (at: number) =>
    `const value${at} = readSetting('name-${at}', ${number + at}) // line ${at} of ${number}\n`
  const content = Array.from({ length: Math.ceil(bytes / 50) }, (_, at) => line(at))
    .join('')
    .slice(0, bytes)
  return json({ content, expiryHours: 24 })
}

function json(value: unknown) {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST' as const, headers, body: Buffer.from(JSON.stringify(value)) }
}

async function form(path: string, fields: Record<string, string | Blob>): Promise<Ask> {
  const encoded = new Response(formOf(fields))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { path, method: 'POST', headers, body: Buffer.from(await encoded.arrayBuffer()) }
}

async function imageRows(site: Server): Promise<void> {
  const pictures = [
    { name: '640×480', width: 640, height: 480, uploads: 150 },
    { name: '12 Mpx', width: 4000, height: 3000, uploads: 15 },
  ]
  for (const { name, width, height, uploads } of pictures) {
    const image = new File([new Uint8Array(await jpeg(width, height))], 'picture.jpg', { type: 'image/jpeg' })
    const upload = await form('/api/image-share', { image, expiryHours: '1' })
    await row(`image upload ${name}`, site, load(uploads, 2), () => upload)
  }
}

/** Soft noise: of all that can be generated it costs an encoder about what a photo does. */
async function jpeg(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: width / 8, height: height / 8, channels: 3, background: '#000', noise } as const
  const small = await sharp({ create }).png().toBuffer()
  return sharp(small).resize(width, height).jpeg({ quality: 85 }).toBuffer()
}

async function boardRows(site: Server): Promise<void> {
  const { threads } = JSON.parse(await ask(site.origin, { path: THREADS }))
  const sorted: { id: number; commentCount: number }[] = threads.sort(
    (a: { commentCount: number }, b: { commentCount: number }) => b.commentCount - a.commentCount,
  )
  const [busiest, quietest] = [sorted[0]?.id, sorted.at(-1)?.id]
  await row('board page', site, load(500), () => ({ path: BOARD, headers: PAGE }))
  await row('thread page', site, load(300), () => ({ path: `${BOARD}/thread/${busiest}`, headers: PAGE }))
  const comments = load(1000)
  const posts: Ask[] = []
  for (let number = 0; number < comments.warmUp + comments.requests; number++) {
    const { challengeId, question } = JSON.parse(
      await ask(site.origin, { path: '/api/dtpchan/captcha', method: 'POST' }),
    )
    const fields = { content: `Comment number ${number}`, author: 'writer', challengeId }
    posts.push(await form(`${THREADS}/${quietest}/comments`, { ...fields, captchaAnswer: String(answerOf(question)) }))
  }
  await row('comment post', site, comments, (number) => posts[number] as Ask)
}

function report(): void {
  const machine = {
    at: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    loadAverage: loadavg()[0] ?? 0,
    quick,
  }
  const cells = rows.map((row) => [
    row.name,
    String(row.requests),
    String(row.atOnce),
    figure(row.perSecond),
    figure(row.p50),
    figure(row.p99),
    row.cpuMs === null ? '-' : row.cpuMs.toFixed(3),
    row.ratio === null ? '-' : `${figure(row.ratio)}×`,
  ])
  const table = [['', 'requests', 'at once', 'per s', 'p50 ms', 'p99 ms', 'CPU ms each', 'of bare'], ...cells]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? []
  const lines = table.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  const file = out ?? join(tmpdir(), 'bench.json')
  writeFileSync(file, `${JSON.stringify({ ...machine, rows }, null, 2)}\n`)
  const { node, cpu, cores, loadAverage } = machine
  process.stdout.write(`
${lines.join('\n')}

Node ${node}, ${cores} × ${cpu}, load ${loadAverage.toFixed(1)}. The requests come from this machine too and share its
cores, so times and rates are theirs as well; CPU is of the server's process alone, its embedded database included.
Written to ${file}
`)
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
