import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '#tests/helpers/postgresServer.ts'
import type { Cores } from './machine.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url))
/** Nobody waits longer for a first answer. */
const START_WITHIN_MS = 60_000

const running = new Set<ChildProcess>()

/** Ends at once all that was started here and still runs, for a run that is broken off. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** What a load is sent to, and whose CPU it costs. */
export type Measurable = { port: number; pid: number; databaseCpu: () => number | null }
export type Server = Measurable & {
  /** from its start to the first 200, in ms */
  startedIn: number
  stop: () => Promise<void>
}

type Start = {
  program: string[]
  env: Record<string, string>
  cores: Cores
  /** what is asked until it is answered with 200 */
  path: string
  databaseCpu?: () => number | null
}

/**
 * Starts a program on its core and waits for its first good answer.
 * @throws Error with the end of what it wrote when it ends instead, or does not answer within a minute
 */
export async function startServer({ program, env, cores, path, databaseCpu = () => null }: Start): Promise<Server> {
  const port = await freePort()
  const log = await makeLog()
  const start = performance.now()
  const child = run(program, { ...env, PORT: String(port) }, cores, log.file)
  const exited = once(child, 'exit')
  while (!(await answers(port, path))) {
    const late = performance.now() - start > START_WITHIN_MS
    if (late || child.exitCode !== null || child.signalCode !== null) {
      const told = log.tail()
      child.kill('SIGKILL')
      await exited
      await log.remove()
      throw new Error(`${program.join(' ')} ${late ? 'does not answer' : 'ended'}: ${told}`)
    }
    await sleep(5)
  }
  return {
    port,
    pid: child.pid as number,
    databaseCpu,
    startedIn: performance.now() - start,
    stop: async () => {
      child.kill()
      await exited
      await log.remove()
    },
  }
}

/** A handler that sends files under paths of its own: the least an answer can cost with this framework. */
export const startBare = (manifest: string, cores: Cores): Promise<Server> =>
  startServer({ program: [BARE, manifest], env: {}, cores, path: '/' })

/**
 * Runs a program of ours to its end.
 * @throws Error when it fails
 */
export async function runToEnd(program: string[], env: Record<string, string>): Promise<void> {
  const log = await makeLog()
  const [code] = await once(run(program, env, null, log.file), 'exit')
  const told = log.tail()
  await log.remove()
  if (code !== 0) throw new Error(`${program.join(' ')} ended with ${code}: ${told}`)
}

async function makeLog() {
  const dir = await mkdtemp(join(tmpdir(), 'bench-log-'))
  const file = join(dir, 'log')
  return {
    file,
    tail: () => readFileSync(file, 'utf8').slice(-2000),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** What it logs goes into a file, as in production: that costs, too. */
function run(program: string[], env: Record<string, string>, cores: Cores, log: string): ChildProcess {
  const { PATH, HOME } = process.env
  const bound = cores ? ['taskset', '-c', String(cores.server)] : []
  const [command = '', ...args] = [...bound, process.execPath, ...program]
  const file = openSync(log, 'a')
  try {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { PATH, HOME, NODE_ENV: 'production', ...env },
      stdio: ['ignore', file, file],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  } finally {
    closeSync(file)
  }
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}
