/** Returns a percentile of sorted numbers; NaN if there are none. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Returns the median; NaN if there are no values. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] as number)) / 2
}

/** Returns the median of each figure over several runs; null if one run has no value. */
export function medians<Name extends string>(runs: Record<Name, number | null>[]): Record<Name, number | null> {
  const names = Object.keys(runs[0] ?? {}) as Name[]
  const valuesOf = (name: Name) => runs.map((run) => run[name])
  return Object.fromEntries(
    names.map((name) => [name, valuesOf(name).includes(null) ? null : median(valuesOf(name) as number[])]),
  ) as Record<Name, number | null>
}

/** Formats a number with three significant digits. */
export function formatFigure(value: number | string | null | undefined): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined || Number.isNaN(value)) return '-'
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size === 0 ? 2 : 3)
}
