import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** Linux counts CPU time in these, whatever its kernel's own clock. */
const TICK_MS = 10
const isLinux = process.platform === 'linux'

/** Which core the site and its database get, and which one those who ask; null where they share all there are. */
export type Cores = { server: number; load: number } | null

/** The first two cores this process may use, if there are two and programs can be bound to them. */
export function chooseCores(): Cores {
  if (!isLinux) return null
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  const [server, load] = coresOf(allowed)
  if (server === undefined || load === undefined) return null
  try {
    // All threads of this process, which asks; what it starts is bound anew.
    execFileSync('taskset', ['-a', '-p', '-c', String(load), String(process.pid)], { stdio: 'ignore' })
    return { server, load }
  } catch {
    return null
  }
}

/** The numbers in a list such as `0-2,5`. */
export function coresOf(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
  )
}

/** Binds a process that runs already, and what it will start. */
export function bindProcess(pid: number, cores: Cores): void {
  if (cores) execFileSync('taskset', ['-a', '-p', '-c', String(cores.server), String(pid)], { stdio: 'ignore' })
}

type Stat = { parent: number; own: number; reaped: number }

/** CPU time in ms of a process, its threads, and of the children it has waited for; null when it is gone. */
function statOf(pid: number): Stat | null {
  try {
    // The second field is the program's name and may hold blanks; those behind it are counted from the third.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const ticks = (...at: number[]) => at.reduce((sum, index) => sum + (fields[index] ?? 0), 0) * TICK_MS
    return { parent: fields[1] ?? 0, own: ticks(11, 12), reaped: ticks(13, 14) }
  } catch {
    return null
  }
}

/** CPU time of a process and all its threads so far, in ms; null where the system does not tell. */
export const cpuOf = (pid: number): number | null => (isLinux ? (statOf(pid)?.own ?? null) : null)

/** CPU time of a process and all it started, those that have ended too, in ms; null where the system does not tell. */
export function cpuOfTree(root: number): number | null {
  if (!isLinux) return null
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) stats.set(Number(name), stat)
  }
  const isWithin = (pid: number): boolean => pid === root || (stats.has(pid) && isWithin(stats.get(pid)?.parent ?? 0))
  let sum = 0
  for (const [pid, { own, reaped }] of stats) if (isWithin(pid)) sum += own + reaped
  return sum
}

/** Memory a process has now and the most it ever had, in MB; null when it is gone, or the system does not tell. */
export function memoryOf(pid: number): { now: number; most: number } | null {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return null
  }
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

/** What a reader of figures has to know of the machine they were taken on. */
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
