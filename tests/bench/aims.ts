import { figure } from './figures.ts'
import type { DatabaseName } from './places.ts'
import { costOf, type Figures, GROWTH, MANY, RENDERED, type Row } from './report.ts'

/** What is done again under a profiler where an aim was missed. */
export type Scenario = 'cached thread' | 'rendered thread' | 'rendered board' | 'posts' | 'start'
type Find = (section: string, name: string) => Figures | undefined
type Aim = {
  name: string
  bound: number
  /** whether more is better, or less */
  side: 'at least' | 'at most'
  only?: DatabaseName
  value: (find: Find, rows: Row[]) => number | null
  scenario: Scenario
}
/** How an aim was met; `value` null where it was not measured. */
export type Verdict = {
  aim: string
  database: DatabaseName
  value: number | null
  met: boolean | null
  scenario: Scenario
}

const number = (value: Figures[string] | undefined) => (typeof value === 'number' ? value : null)
const column = (section: string, name: string, of: string) => (find: Find) => number(find(section, name)?.[of])

export const aims: Aim[] = [
  {
    name: 'a cached thread: requests a second, of bare',
    bound: 0.8,
    side: 'at least',
    value: column('pages from memory', 'thread, brotli', 'of bare'),
    scenario: 'cached thread',
  },
  {
    name: 'a cached thread: p99, of that of bare',
    bound: 3,
    side: 'at most',
    value: column('pages from memory', 'thread, brotli', 'p99 of bare'),
    scenario: 'cached thread',
  },
  {
    name: 'a thread of 250 posts, rendered: ms of CPU, the database included',
    bound: 10,
    side: 'at most',
    value: (find) => {
      const row = find(RENDERED, 'thread of 250 posts')
      return row ? costOf({ cpu: number(row['CPU ms']), databaseCpu: number(row['PostgreSQL CPU ms']) }) : null
    },
    scenario: 'rendered thread',
  },
  {
    name: 'posts a second',
    bound: 300,
    side: 'at least',
    only: 'PostgreSQL',
    value: column('posts', 'comments on many threads', 'per s'),
    scenario: 'posts',
  },
  {
    name: `a page with ${MANY.toLocaleString('en')} threads: CPU, of that with 100; the worst`,
    bound: 1.2,
    side: 'at most',
    value: (_find, rows) => {
      const grown = rows.filter(
        ({ section, name }) => section === GROWTH && name.includes(` ${MANY.toLocaleString('en')} `),
      )
      const ratios = grown.flatMap(({ figures }) => number(figures['CPU, of that at 100']) ?? [])
      return ratios.length > 0 ? Math.max(...ratios) : null
    },
    scenario: 'rendered board',
  },
  {
    name: 'the first answer after a start on existing data: s',
    bound: 3,
    side: 'at most',
    value: column('starts', 'existing data', 'first answer s'),
    scenario: 'start',
  },
]

/** How the aims were met on one database, as far as its rows tell. */
export function judge(rows: Row[], database: DatabaseName): Verdict[] {
  const own = rows.filter((row) => row.database === database)
  const find: Find = (section, name) => own.find((row) => row.section === section && row.name === name)?.figures
  return aims
    .filter(({ only = database }) => only === database)
    .map(({ name, bound, side, value: read, scenario }) => {
      const value = read(find, own)
      const met = value === null || Number.isNaN(value) ? null : side === 'at least' ? value >= bound : value <= bound
      return { aim: `${name} ${side} ${bound}`, database, value, met, scenario }
    })
}

/** A line for each aim, the value first. */
export const writeVerdicts = (verdicts: Verdict[]): string[][] => [
  ['AIMS', '', 'measured', ''],
  ...verdicts.map(({ aim, database, value, met }) => [
    aim,
    database,
    figure(value),
    met === null ? 'not measured' : met ? 'met' : 'MISSED',
  ]),
]
