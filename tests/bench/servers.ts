import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '#tests/helpers/freePort.ts'
import { type Cores, cpuOf, memoryOf } from './machine.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BARE = fileURLToPath(new URL('bareServer.mjs', import.meta.url))
const START_TIMEOUT_MS = 60_000
/** The last reading of memory and CPU time is at most this old when the program ends. */
const USAGE_MS = 50

const running = new Set<ChildProcess>()

/** Kills all child processes that are still running. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

export type Usage = { peak: number; cpu: number }
/** A server to measure. `databaseCpu` returns the CPU time of its separate database; null without one. */
export type Measurable = { port: number; pid: number; databaseCpu: () => number | null }
export type Server = Measurable & {
  /** time from the start to the first response with status 200, in ms */
  startupMs: number
  stop: () => Promise<void>
  /** ends it like a crash */
  kill: () => Promise<void>
}

type Start = {
  program: string[]
  env: Record<string, string>
  cores: Cores
  /** path to request until the server answers 200 */
  path: string
  /** folder of the build; default: the working tree */
  root?: string
  databaseCpu?: () => number | null
}

/**
 * Starts a program on the CPU core for the server and waits until it answers 200.
 * @throws Error with the end of the log if the program exits or does not answer within a minute
 */
export async function startServer({
  program,
  env,
  cores,
  path,
  root,
  databaseCpu = () => null,
}: Start): Promise<Server> {
  const port = await freePort()
  const log = await makeLog()
  const start = performance.now()
  const child = spawnProgram(program, { ...env, PORT: String(port) }, cores, log.file, root)
  const exited = once(child, 'exit')
  while (!(await isReady(port, path))) {
    const isLate = performance.now() - start > START_TIMEOUT_MS
    if (isLate || child.exitCode !== null || child.signalCode !== null) {
      const logTail = log.tail()
      child.kill('SIGKILL')
      await exited
      await log.remove()
      throw new Error(`${program.join(' ')} ${isLate ? 'does not answer' : 'exited'}: ${logTail}`)
    }
    await sleep(5)
  }
  return {
    port,
    pid: child.pid as number,
    databaseCpu,
    startupMs: performance.now() - start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await exited
    await log.remove()
  }
}

/** Starts the baseline: a Fastify server that only sends files from memory. */
export const startBare = (manifest: string, cores: Cores): Promise<Server> =>
  startServer({ program: [BARE, manifest], env: {}, cores, path: '/' })

/**
 * Runs a program and waits for its exit.
 * @param root folder of the build; default: the working tree
 * @returns its peak memory in MB, and its CPU time in ms
 * @throws Error if the program fails
 */
export async function runProgram(program: string[], env: NodeJS.ProcessEnv, root?: string): Promise<Usage> {
  const log = await makeLog()
  const child = spawnProgram(program, env, null, log.file, root)
  const usage: Usage = { peak: 0, cpu: 0 }
  const timer = setInterval(() => {
    const pid = child.pid as number
    usage.peak = memoryOf(pid)?.peak || usage.peak
    usage.cpu = cpuOf(pid) ?? usage.cpu
  }, USAGE_MS)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  const logTail = log.tail()
  await log.remove()
  if (code !== 0) throw new Error(`${program.join(' ')} exited with ${code}: ${logTail}`)
  return usage
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

/** Starts a program and logs to a file, so that results include the cost of logging. */
function spawnProgram(program: string[], env: NodeJS.ProcessEnv, cores: Cores, log: string, root = ROOT): ChildProcess {
  const { PATH, HOME } = process.env
  const binding = cores ? ['taskset', '-c', String(cores.server)] : []
  const [command = '', ...args] = [...binding, process.execPath, ...program]
  const file = openSync(log, 'a')
  try {
    const child = spawn(command, args, {
      cwd: root,
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

async function isReady(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
