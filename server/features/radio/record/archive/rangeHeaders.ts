/** Matches a single byte range (RFC 9110). The server ignores other units and multiple ranges. */
const ONE_RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/i

/** Returns a Range header that can be forwarded unchanged, or undefined if the server must send the whole file. */
export function parseRange(header: string | undefined): string | undefined {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === undefined && last === undefined) return undefined
  return first !== undefined && last !== undefined && Number(last) < Number(first) ? undefined : header
}

/** Returns the first requested byte. Returns null for a suffix range, because its start depends on the file size. */
export function getRangeStart(range: string): number | null {
  const first = ONE_RANGE.exec(range)?.[1]
  return first === undefined ? null : Number(first)
}

export function parseContentRange(header: string | null): { first: number; last: number; total: number | null } | null {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? '')
  if (!parts) return null
  const [first, last, total] = [Number(parts[1]), Number(parts[2]), parts[3] === '*' ? null : Number(parts[3])]
  return last < first || (total !== null && last >= total) ? null : { first, last, total }
}
