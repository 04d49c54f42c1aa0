/** One range of bytes as RFC 9110 writes it; forms nobody needs, and several at once, count as none asked for. */
const ONE_RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/i

/** A Range header that can be passed on as it came; undefined where the whole is to be sent. */
export function parseRange(header: string | undefined): string | undefined {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === undefined && last === undefined) return undefined
  return first !== undefined && last !== undefined && Number(last) < Number(first) ? undefined : header
}

/** Where a requested range begins; null where that depends on the size. */
export function getRangeStart(range: string): number | null {
  const first = ONE_RANGE.exec(range)?.[1]
  return first === undefined ? null : Number(first)
}

/** What a Content-Range header tells of a part; `total` is null where it is not known, the whole null if malformed. */
export function parseContentRange(header: string | null): { first: number; last: number; total: number | null } | null {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? '')
  if (!parts) return null
  const [first, last, total] = [Number(parts[1]), Number(parts[2]), parts[3] === '*' ? null : Number(parts[3])]
  return last < first || (total !== null && last >= total) ? null : { first, last, total }
}
