import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Icecast, startIcecast } from '../helpers/icecast.ts'
import { framesOf } from '../helpers/mp3.ts'
import { RADIO_KEY, startRadioService } from '../helpers/radioService.ts'
import { findPrograms } from '../setup/icecast.ts'
import { cpuOf, type Server, startServer } from './measure.ts'

const LISTENERS = fileURLToPath(new URL('listeners.mjs', import.meta.url))
/** Newcomers' bursts are taken and what they cost is over. */
const SETTLE_MS = 8_000
const MOST_LISTENERS = 3000

type Figures = {
  heard: number
  lost: number
  /** connections that had to be tried again */
  again: number
  bytes: number
  worstGapMs: number
  firstP50: number | null
  firstP99: number | null
}
type Row = Omit<Figures, 'bytes'> & {
  name: string
  listeners: number
  /** of one core, in percent */
  cpu: number | null
  rssMB: number | null
  /** above what it was with nobody listening */
  grownMB: number | null
  kbitPerListener: number
}

/**
 * What many listeners of one 128 kbit/s stream cost the site, and an Icecast with the same source where there is one.
 * @param quick fewer listeners, for less time
 */
export async function benchRadio(quick: boolean, out: string | undefined): Promise<void> {
  const programs = findPrograms()
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
  const rows: Row[] = []
  const service = await startRadioService({ sound: Buffer.concat(framesOf({ seconds: 60 })) })
  let icecast: Icecast | null = null
  let site: Server | null = null
  try {
    if (programs) {
      icecast = await startIcecast(programs, MOST_LISTENERS)
      await icecast.feed('radio.mp3', 'mp3')
      service.set('stations', { json: [station(`${icecast.origin}/radio.mp3`)] })
    } else process.stderr.write('No icecast2 and ffmpeg: the site is measured alone, with a stand-in as its source\n')
    site = await startServer(['dist/site/main.mjs'], {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RADIO_URL: service.url,
      RADIO_API_KEY: RADIO_KEY,
      RADIO_MAX_LISTENERS: String(MOST_LISTENERS),
    })
    for (const listeners of quick ? [100] : [500, 2000]) {
      const seconds = quick ? 10 : 30
      rows.push(await measureListeners('site', site.origin, site.pid, '/radio/1/stream', listeners, seconds))
      if (icecast) {
        rows.push(await measureListeners('Icecast', icecast.origin, icecast.pid, '/radio.mp3', listeners, seconds))
      }
    }
    report(rows, quick, out)
  } finally {
    await site?.stop()
    await icecast?.stop()
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const station = (listenUrl: string) => ({
  id: 1,
  name: 'Bench',
  shortcode: 'bench',
  description: '',
  is_public: true,
  listen_url: listenUrl,
})

async function measureListeners(
  name: string,
  origin: string,
  pid: number,
  path: string,
  listeners: number,
  seconds: number,
): Promise<Row> {
  process.stderr.write(`${name}, ${listeners} listeners...\n`)
  const idle = rssOf(pid)
  // The first one ever waits for the source; a crowd comes to what is playing.
  const first = await startListeners(origin, path, 1)
  await sleep(SETTLE_MS)
  const crowd = await startListeners(origin, path, listeners)
  await finish(first)
  try {
    await sleep(SETTLE_MS)
    crowd.child.kill('SIGUSR2')
    const [cpu, start] = [cpuOf(pid), performance.now()]
    await sleep(seconds * 1000)
    const [spent, passed, rss] = [cpuOf(pid), (performance.now() - start) / 1000, rssOf(pid)]
    const { bytes, ...figures } = await finish(crowd)
    return {
      name,
      listeners,
      ...figures,
      cpu: cpu === null || spent === null ? null : (spent - cpu) / passed / 10,
      rssMB: rss,
      grownMB: rss === null || idle === null ? null : rss - idle,
      kbitPerListener: (bytes * 8) / 1000 / passed / figures.heard,
    }
  } finally {
    crowd.child.kill('SIGKILL')
  }
}

/** Resolves when all of them have heard something, or after a minute: a server may leave some of a crowd outside. */
async function startListeners(origin: string, path: string, count: number) {
  const args = [LISTENERS, new URL(origin).port, path, String(count)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  await Promise.race([once(lines, 'line'), sleep(60_000, null, { ref: false })])
  return { child, lines }
}

function finish({ child, lines }: Awaited<ReturnType<typeof startListeners>>): Promise<Figures> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const told = JSON.parse(line)
      if ('heard' in told) resolve(told)
    })
    child.once('close', () => reject(new Error('the listeners ended without a word')))
    child.kill('SIGTERM')
  })
}

/** Memory of a process, in MB; null where the system does not tell. */
function rssOf(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes ? Number(kilobytes) / 1024 : null
}

function report(rows: Row[], quick: boolean, out: string | undefined): void {
  const number = (value: number | null, digits = 0) => (value === null ? '-' : value.toFixed(digits))
  const table = [
    [
      '',
      'listeners',
      'heard',
      'CPU % of a core',
      'RSS MB',
      'more MB',
      'first byte p50',
      'p99 ms',
      'worst gap ms',
      'kbit/s',
      'again',
      'lost',
    ],
    ...rows.map((row) => [
      row.name,
      String(row.listeners),
      String(row.heard),
      number(row.cpu, 1),
      number(row.rssMB),
      number(row.grownMB),
      number(row.firstP50, 1),
      number(row.firstP99, 1),
      number(row.worstGapMs),
      number(row.kbitPerListener),
      String(row.again),
      String(row.lost),
    ]),
  ]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? []
  const lines = table.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  const machine = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model ?? 'unknown' }
  const file = out ?? join(tmpdir(), 'bench-radio.json')
  const figures = { ...machine, cores: cpus().length, loadAverage: loadavg()[0] ?? 0, quick, rows }
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
  process.stdout.write(`
${lines.join('\n')}

Node ${machine.node}, ${figures.cores} × ${machine.cpu}, load ${figures.loadAverage.toFixed(1)}. One process listens for
all, on this machine too; CPU and memory are of the server's process alone, the site's embedded database included.
Written to ${file}
`)
}
