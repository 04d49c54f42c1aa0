import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Linux counts CPU time in these, whatever its kernel's own clock. */
const TICK_MS = 10
/** Work that goes on behind an answer, of the requests before or of those measured, gets this long to end. */
const SETTLE_MS = 200

export type Server = { origin: string; pid: number; stop: () => Promise<void> }
export type Ask = { path: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: Buffer }
export type Load = { requests: number; warmUp: number; atOnce: number }
export type Measured = Load & { perSecond: number; p50: number; p99: number; cpuMs: number | null }

function run(args: string[], env: Record<string, string>): ChildProcess {
  const { PATH, HOME } = process.env
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/**
 * Runs a program of ours to its end.
 * @throws Error when it fails
 */
export async function runToEnd(args: string[], env: Record<string, string>): Promise<void> {
  const child = run(args, env)
  child.stdout?.resume()
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
}

/**
 * Starts a server in a process of its own and waits until it says its address.
 * @throws Error when it ends instead
 */
export async function startServer(args: string[], env: Record<string, string> = {}): Promise<Server> {
  const child = run(args, env)
  const exited = once(child, 'exit')
  let output = ''
  const origin = await Promise.race([
    exited.then(([code]) => {
      throw new Error(`${args[0]} ended with ${code}`)
    }),
    new Promise<string>((resolve) => {
      child.stdout?.on('data', (chunk) => {
        output += chunk
        const port = /at http:\/\/[\w.]+:(\d+)\s/.exec(output)?.[1]
        if (port) resolve(`http://127.0.0.1:${port}`)
      })
    }),
  ])
  return {
    origin,
    pid: child.pid as number,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}

/** Sends one request; `agent` keeps its connection. */
export function ask(origin: string, { path, method = 'GET', headers, body }: Ask, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': body.length } : method === 'POST' ? { 'content-length': 0 } : {}
    const sent = request(origin + path, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Warms a server up, then sends a fixed number of requests, `atOnce` of them at a time, and takes times and CPU.
 * @param makeAsk the request of a number; warm-up and measured ones are numbered on
 * @throws Error at the first answer that is not 200: a refusal is faster than the work
 */
export async function measure(server: Server, load: Load, makeAsk: (number: number) => Ask): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.atOnce })
  const times: number[] = []
  let next = 0
  const send = async (end: number) => {
    while (next < end) {
      const asked = makeAsk(next++)
      const start = performance.now()
      await ask(server.origin, asked, agent)
      times.push(performance.now() - start)
    }
  }
  const sendUntil = (end: number) => Promise.all(Array.from({ length: load.atOnce }, () => send(end)))
  try {
    await sendUntil(load.warmUp)
    await sleep(SETTLE_MS)
    times.length = 0
    const [cpu, start] = [cpuOf(server.pid), performance.now()]
    await sendUntil(load.warmUp + load.requests)
    const seconds = (performance.now() - start) / 1000
    await sleep(SETTLE_MS)
    const spent = cpuOf(server.pid)
    times.sort((a, b) => a - b)
    return {
      ...load,
      perSecond: load.requests / seconds,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      cpuMs: cpu === null || spent === null ? null : (spent - cpu) / load.requests,
    }
  } finally {
    agent.destroy()
  }
}

const percentile = (sorted: number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN

/** CPU time of a process and all its threads so far, in ms; null where the system does not tell. */
export function cpuOf(pid: number): number | null {
  if (process.platform !== 'linux') return null
  // The second field is the program's name and may hold blanks; behind it user and system time are the 12th and 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
