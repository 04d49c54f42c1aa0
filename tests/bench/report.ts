import { figure } from './figures.ts'
import type { DatabaseName } from './places.ts'

export type Figures = Record<string, number | string | null>
/** One line of the table: what was measured, on which database, and its figures by the name of their column. */
export type Row = { section: string; name: string; database: DatabaseName; figures: Figures }

export const RENDERED = 'rendered for each request'
export const GROWTH = 'cost by the number of threads'
/** the largest site that is measured */
export const MANY = 100_000

/** What a request costs the site's process and the database together, in ms of CPU. */
export const costOf = ({ cpu, databaseCpu }: { cpu: number | null; databaseCpu: number | null }): number | null =>
  cpu && cpu + (databaseCpu ?? 0)

/**
 * The table: sections in the order in which they came, each with its own columns; the databases of one row stand one
 * below the other.
 */
export function writeTable(rows: Row[]): string {
  const sections = [...new Set(rows.map(({ section }) => section))]
  return sections
    .map((section) =>
      writeSection(
        section,
        rows.filter((row) => row.section === section),
      ),
    )
    .join('\n\n')
}

function writeSection(section: string, rows: Row[]): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))]
  const names = [...new Set(rows.map(({ name }) => name))]
  const lines = names.flatMap((name) =>
    rows
      .filter((row) => row.name === name)
      .map((row, index) => [
        index === 0 ? name : '',
        row.database,
        ...columns.map((column) => figure(row.figures[column])),
      ]),
  )
  return align([[section.toUpperCase(), '', ...columns], ...lines])
}

/** Columns below each other: the first two from the left, figures from the right. */
export function align(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const cell = (text: string, at: number) => (at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))
  return table.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}
