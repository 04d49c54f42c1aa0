/** A part of a file, in bytes, and the status and Content-Range it is sent with. */
export type Part =
  | { status: 200; start: number; length: number; range: null }
  | { status: 206 | 416; start: number; length: number; range: string }

/**
 * The part of `size` bytes a Range header asks for (RFC 9110, 14.2): a single one of bytes; everything where there is no
 * header, or one of another kind.
 */
export function parseRange(size: number, header: string | undefined): Part {
  const whole: Part = { status: 200, start: 0, length: size, range: null }
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return whole
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // An end before its beginning is no range at all, one behind the end of the file cannot be had.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return whole
  if (start >= size) return { status: 416, start: 0, length: 0, range: `bytes */${size}` }
  return { status: 206, start, length: end - start + 1, range: `bytes ${start}-${end}/${size}` }
}
