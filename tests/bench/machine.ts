import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** Unit of CPU time in /proc. It does not depend on the kernel's timer frequency. */
const TICK_MS = 10
const isLinux = process.platform === 'linux'

/** Core of the site and its database, and core of the load generator. Null if processes are not bound to cores. */
export type Cores = { server: number; load: number } | null

/** Chooses two cores and binds this process to one. Returns null if two cores or taskset are missing. */
export function chooseCores(): Cores {
  if (!isLinux) return null
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  const [server, load] = coresOf(allowed)
  if (server === undefined || load === undefined) return null
  try {
    // Binds all threads of the load generator. The programs that it starts are bound separately.
    execFileSync('taskset', ['-a', '-p', '-c', String(load), String(process.pid)], { stdio: 'ignore' })
    return { server, load }
  } catch {
    return null
  }
}

/** Parses a list of cores such as `0-2,5`. */
export function coresOf(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
  )
}

/** Binds a running process and its future children to the server core. */
export function bindProcess(pid: number, cores: Cores): void {
  if (cores) execFileSync('taskset', ['-a', '-p', '-c', String(cores.server), String(pid)], { stdio: 'ignore' })
}

type Stat = { parent: number; own: number; reaped: number }

/** Returns the CPU time of a process and of its reaped children in ms, or null if the process has ended. */
function statOf(pid: number): Stat | null {
  try {
    // The array starts with the third field, because the second, the program name, can contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const ticks = (...at: number[]) => at.reduce((sum, index) => sum + (fields[index] ?? 0), 0) * TICK_MS
    return { parent: fields[1] ?? 0, own: ticks(11, 12), reaped: ticks(13, 14) }
  } catch {
    return null
  }
}

/** Returns the CPU time of all threads of a process in ms, or null if unavailable. */
export const cpuOf = (pid: number): number | null => (isLinux ? (statOf(pid)?.own ?? null) : null)

/** Returns the CPU time of a process and its descendants in ms. Includes ended processes. Null if unavailable. */
export function cpuOfTree(root: number): number | null {
  if (!isLinux) return null
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) stats.set(Number(name), stat)
  }
  const isDescendant = (pid: number): boolean =>
    pid === root || (stats.has(pid) && isDescendant(stats.get(pid)?.parent ?? 0))
  let sum = 0
  for (const [pid, { own, reaped }] of stats) if (isDescendant(pid)) sum += own + reaped
  return sum
}

/** Returns the current and the peak memory of a process in MB, or null if unavailable. */
export function memoryOf(pid: number): { now: number; peak: number } | null {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return null
  }
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

export function describeMachine() {
  return {
    at: new Date().toISOString(),
    node: process.version,
    platform: process.platform,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    loadAverage: loadavg()[0] ?? 0,
  }
}
