/** The value below which a share of sorted numbers lies; not a number when there are none. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** The one in the middle, of two the mean; not a number when there are none. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] as number)) / 2
}

/** The median of each figure over several runs; null where a run could not tell. */
export function medians<Name extends string>(runs: Record<Name, number | null>[]): Record<Name, number | null> {
  const names = Object.keys(runs[0] ?? {}) as Name[]
  const of = (name: Name) => runs.map((run) => run[name])
  return Object.fromEntries(
    names.map((name) => [name, of(name).includes(null) ? null : median(of(name) as number[])]),
  ) as Record<Name, number | null>
}

/** Three digits that say something, whatever the size. */
export function figure(value: number | string | null | undefined): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined || Number.isNaN(value)) return '-'
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size === 0 ? 2 : 3)
}
