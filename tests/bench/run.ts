import type { Load, Measured } from './load.ts'
import type { Cores } from './machine.ts'
import type { Place } from './places.ts'
import type { Figures, Row } from './report.ts'
import type { Seeded } from './seed.ts'

/** What every group of rows works with. */
export type Run = {
  place: Place
  seeded: Seeded
  cores: Cores
  quick: boolean
  /** how long a measured load lasts, and how often it is compared with the bare one */
  seconds: number
  pairs: number
  add: (section: string, name: string, figures: Figures) => void
}

/** As many at once as keep one core busy, each with a connection of its own. */
export const CONNECTIONS = 10

/** Code is fast only after it has run some hundred times: the warm-up is over then, not before. */
export const loadOf = ({ seconds }: Pick<Run, 'seconds'>, more: Partial<Load> = {}) => ({
  connections: CONNECTIONS,
  seconds,
  atLeast: Math.round(seconds * 30),
  warmUp: { seconds: Math.max(0.5, seconds / 3), atLeast: Math.round(seconds * 60) },
  ...more,
})

/** The columns of what was measured, in their order. */
export function columnsOf(measured: Measured): Figures {
  const { perSecond, p50, p99, cpu, databaseCpu, loadBusy } = measured
  return {
    'per s': perSecond,
    'p50 ms': p50,
    'p99 ms': p99,
    'CPU ms': cpu,
    'PostgreSQL CPU ms': databaseCpu,
    'asking, % of its core': loadBusy && loadBusy * 100,
  }
}

export type { Row }
