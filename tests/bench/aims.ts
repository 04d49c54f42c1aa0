import type { DatabaseName } from './installations.ts'
import { type Figures, GROWTH, LARGE_SITE_THREADS, RENDERED, type Row, totalCpuOf, WORST_INPUTS } from './report.ts'
import { formatFigure } from './statistics.ts'

/** Workload to profile if an aim is missed. */
export type Scenario = 'cached thread' | 'rendered thread' | 'rendered board' | 'posts' | 'start'
type Find = (section: string, name: string) => Figures | undefined
type Aim = {
  name: string
  bound: number
  side: 'at least' | 'at most'
  only?: DatabaseName
  value: (find: Find, rows: Row[]) => number | null
  /** undefined if the profiler of the site cannot show the cost */
  scenario?: Scenario
}
/** Result of an aim. `value` and `met` are null if the aim was not measured. */
export type Verdict = {
  aim: string
  database: DatabaseName
  value: number | null
  met: boolean | null
  scenario?: Scenario
}

const number = (value: Figures[string] | undefined) => (typeof value === 'number' ? value : null)
const column = (section: string, name: string, of: string) => (find: Find) => number(find(section, name)?.[of])

/** Returns the largest figure of a column; null without any. */
function worstOf(rows: Row[], name: string): number | null {
  const values = rows.flatMap(({ figures }) => number(figures[name]) ?? [])
  return values.length > 0 ? Math.max(...values) : null
}

export const aims: Aim[] = [
  {
    name: 'cached thread: requests per second / bare',
    bound: 0.8,
    side: 'at least',
    value: column('cached pages', 'thread, brotli', '/ bare'),
    scenario: 'cached thread',
  },
  {
    name: 'cached thread: p99 / bare',
    bound: 3,
    side: 'at most',
    value: column('cached pages', 'thread, brotli', 'p99 / bare'),
    scenario: 'cached thread',
  },
  {
    name: 'rendered thread of 250 posts: CPU ms including the database',
    bound: 10,
    side: 'at most',
    value: (find) => {
      const row = find(RENDERED, 'thread of 250 posts')
      return row ? totalCpuOf({ cpu: number(row['CPU ms']), databaseCpu: number(row['PostgreSQL CPU ms']) }) : null
    },
    scenario: 'rendered thread',
  },
  {
    name: 'posts per second',
    bound: 300,
    side: 'at least',
    only: 'PostgreSQL',
    value: column('posts', 'comments on many threads', 'per s'),
    scenario: 'posts',
  },
  {
    name: `worst page with ${LARGE_SITE_THREADS.toLocaleString('en')} threads: CPU / 100 threads`,
    bound: 1.2,
    side: 'at most',
    value: (_find, rows) =>
      worstOf(
        rows.filter(
          ({ section, name }) => section === GROWTH && name.includes(` ${LARGE_SITE_THREADS.toLocaleString('en')} `),
        ),
        'CPU / 100 threads',
      ),
    scenario: 'rendered board',
  },
  {
    name: 'first response after a start on existing data: s',
    bound: 3,
    side: 'at most',
    value: column('starts', 'existing data', 'first response s'),
    scenario: 'start',
  },
  {
    name: 'worst input: CPU / limit',
    bound: 1,
    side: 'at most',
    only: 'PGlite',
    value: (_find, rows) =>
      worstOf(
        rows.filter(({ section }) => section === WORST_INPUTS),
        'CPU / limit',
      ),
  },
  {
    name: 'worst input: CPU / half of the input',
    bound: 3,
    side: 'at most',
    only: 'PGlite',
    value: (_find, rows) =>
      worstOf(
        rows.filter(({ section }) => section === WORST_INPUTS),
        'whole / half',
      ),
  },
]

/** Compares the rows of one database with the aims. */
export function checkAims(rows: Row[], database: DatabaseName): Verdict[] {
  const databaseRows = rows.filter((row) => row.database === database)
  const find: Find = (section, name) =>
    databaseRows.find((row) => row.section === section && row.name === name)?.figures
  return aims
    .filter(({ only = database }) => only === database)
    .map(({ name, bound, side, value: read, scenario }) => {
      const value = read(find, databaseRows)
      const met = value === null || Number.isNaN(value) ? null : side === 'at least' ? value >= bound : value <= bound
      return { aim: `${name} ${side} ${bound}`, database, value, met, scenario }
    })
}

/** Returns table rows with the result of each aim. */
export const formatVerdicts = (verdicts: Verdict[]): string[][] => [
  ['AIMS', '', 'measured', ''],
  ...verdicts.map(({ aim, database, value, met }) => [
    aim,
    database,
    formatFigure(value),
    met === null ? 'not measured' : met ? 'met' : 'MISSED',
  ]),
]
