import type { DatabaseName } from './installations.ts'
import { formatFigure } from './statistics.ts'

export type Figures = Record<string, number | string | null>
/** One table row. `figures` maps column names to values. */
export type Row = { section: string; name: string; database: DatabaseName; figures: Figures }

export const RENDERED = 'uncached pages'
export const WORST_INPUTS = 'worst inputs'
export const GROWTH = 'cost by number of threads'
/** number of threads on the largest measured site */
export const LARGE_SITE_THREADS = 100_000

/** Returns the CPU time per request in ms: the site's process plus a separate database. */
export const totalCpuOf = ({ cpu, databaseCpu }: { cpu: number | null; databaseCpu: number | null }): number | null =>
  cpu && cpu + (databaseCpu ?? 0)

/** Formats one block per section. Each section has its own columns, and each row has one line per database. */
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

/** Aligns the first two columns to the left, and the figures to the right. */
export function align(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const cell = (text: string, at: number) => (at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))
  return table.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}
