export type Part =
  | { status: 200; start: number; length: number; range: null }
  | { status: 206 | 416; start: number; length: number; range: string }

/**
 * Parses a Range header (RFC 9110, 14.2). Returns the whole file for multiple ranges, other units or a missing header.
 */
export function parseRange(size: number, header: string | undefined): Part {
  const whole: Part = { status: 200, start: 0, length: size, range: null }
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return whole
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // Ignore a range whose end is before its start. Answer 416 if the range starts after the end of the file.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return whole
  if (start >= size) return { status: 416, start: 0, length: 0, range: `bytes */${size}` }
  return { status: 206, start, length: end - start + 1, range: `bytes ${start}-${end}/${size}` }
}
