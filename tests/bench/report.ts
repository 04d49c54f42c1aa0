import type { DatabaseName } from './installations.ts'
import { formatFigure } from './statistics.ts'

export type Figures = Record<string, number | string | null>
/** One table row; `figures` are its values by column name. */
export type Row = { section: string; name: string; database: DatabaseName; figures: Figures }

export const RENDERED = 'uncached pages'
export const GROWTH = 'cost by number of threads'
/** threads of the largest measured site */
export const LARGE_SITE_THREADS = 100_000

/** Returns the CPU time of a request in the site's process and the database together, in ms. */
export const totalCpuOf = ({ cpu, databaseCpu }: { cpu: number | null; databaseCpu: number | null }): number | null =>
  cpu && cpu + (databaseCpu ?? 0)

/** Formats the table: one block per section, with its own columns and one line per database. */
export function formatTable(rows: Row[]): string {
  const sections = [...new Set(rows.map(({ section }) => section))]
  return sections
    .map((section) =>
      formatSection(
        section,
        rows.filter((row) => row.section === section),
      ),
    )
    .join('\n\n')
}

function formatSection(section: string, rows: Row[]): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))]
  const names = [...new Set(rows.map(({ name }) => name))]
  const lines = names.flatMap((name) =>
    rows
      .filter((row) => row.name === name)
      .map((row, index) => [
        index === 0 ? name : '',
        row.database,
        ...columns.map((column) => formatFigure(row.figures[column])),
      ]),
  )
  return align([[section.toUpperCase(), '', ...columns], ...lines])
}

/** Aligns columns: the first two to the left, figures to the right. */
export function align(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const cell = (text: string, at: number) => (at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))
  return table.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}
