import type { Installation } from './installations.ts'
import type { Load, Measured } from './load.ts'
import type { Cores } from './machine.ts'
import type { Figures, Row } from './report.ts'
import type { Seeded } from './seed.ts'

/** Input that all benchmark groups share. */
export type Run = {
  installation: Installation
  seeded: Seeded
  cores: Cores
  quick: boolean
  /** duration of each measured load */
  seconds: number
  /** duration of the group `soak` */
  soakMinutes: number
  /** number of measurement pairs: bare server, then site */
  pairs: number
  add: (section: string, name: string, figures: Figures) => void
}

/** Enough concurrent requests to keep one core busy. */
export const CONNECTIONS = 10

/** Creates a load whose warm-up is long enough for V8 to optimise the code. */
export const createLoad = ({ seconds }: Pick<Run, 'seconds'>, more: Partial<Load> = {}) => ({
  connections: CONNECTIONS,
  seconds,
  atLeast: Math.round(seconds * 30),
  warmUp: { seconds: Math.max(0.5, seconds / 3), atLeast: Math.round(seconds * 60) },
  ...more,
})

/** Converts a measurement to table columns. */
export function toColumns(measured: Measured): Figures {
  const { perSecond, p50, p99, cpu, databaseCpu, loadBusy } = measured
  return {
    'per s': perSecond,
    'p50 ms': p50,
    'p99 ms': p99,
    'CPU ms': cpu,
    'PostgreSQL CPU ms': databaseCpu,
    'load, % of core': loadBusy && loadBusy * 100,
  }
}

export type { Row }
