import { parseLine } from '#server/features/radio/azuracast/parseValues.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { readId3 } from './frames/tags.ts'

const MAX_LENGTH = 200
/** Limits the work for hostile headers. */
const MAX_COMMENTS = 200
/** RFC 3533, section 6: the length of the lacing table is at this position, the table follows. */
const LACING_AT = 26
const FLAC_COMMENTS = 4

/** @param text usually `Artist - Title` @returns null for an empty title */
export function parseTitle(text: string): LiveTitle | null {
  const line = parseLine(text, MAX_LENGTH)
  const [, artist = '', title = line] = /^(.*?) - (.*)$/.exec(line) ?? []
  return createTitle(artist, title)
}

/** @returns null for an empty title */
export function createTitle(artist: string, title: string): LiveTitle | null {
  const lines = { artist: parseLine(artist, MAX_LENGTH), title: parseLine(title, MAX_LENGTH) }
  return lines.title === '' ? null : lines
}

/** Returns `artist - title`, as players show it. */
export const formatTitle = ({ artist, title }: LiveTitle): string => (artist ? `${artist} - ${title}` : title)

/** GStreamer sends `Unknown - Unknown` for sound without tags. */
export const isUnknown = ({ artist, title }: LiveTitle): boolean =>
  [artist, title].every((text) => /^unknown$/i.test(text))

/** @param tag an ID3v2 tag, or nothing */
export function readTagTitle(tag: Buffer): LiveTitle | null {
  const { artist, title } = readId3(tag)
  return createTitle(artist, title)
}

/** Reads the comments in the header pages of an Ogg stream: OpusTags, or the comments of Vorbis and FLAC. */
export function readOggTitle(headerPages: Buffer[]): LiveTitle | null {
  const bodies = headerPages.map((page) => page.subarray(LACING_AT + 1 + (page[LACING_AT] ?? 0)))
  const comments = findComments(Buffer.concat(bodies))
  if (!comments) return null
  const fields = parseComments(comments)
  return createTitle(fields.get('artist') ?? '', fields.get('title') ?? '')
}

function findComments(headers: Buffer): Buffer | null {
  for (const mark of ['OpusTags', '\x03vorbis']) {
    const at = headers.indexOf(mark, 0, 'latin1')
    if (at >= 0) return headers.subarray(at + mark.length)
  }
  const flac = headers.indexOf('fLaC', 0, 'latin1')
  for (let at = flac + 4; flac >= 0 && at + 4 <= headers.length; ) {
    if (((headers[at] ?? 0) & 0x7f) === FLAC_COMMENTS) return headers.subarray(at + 4)
    at += 4 + headers.readUIntBE(at + 1, 3)
  }
  return null
}

/** Parses Vorbis comments. Stops at the first length that is too large. Uses the first of repeated fields. */
function parseComments(bytes: Buffer): Map<string, string> {
  const fields = new Map<string, string>()
  let at = 0
  const readText = (): string | null => {
    if (at + 4 > bytes.length) return null
    const end = at + 4 + bytes.readUInt32LE(at)
    if (end > bytes.length) return null
    const text = bytes.toString('utf8', at + 4, end)
    at = end
    return text
  }
  if (readText() === null || at + 4 > bytes.length) return fields
  const count = Math.min(bytes.readUInt32LE(at), MAX_COMMENTS)
  at += 4
  for (let index = 0; index < count; index++) {
    const [, name, value] = /^([^=]{1,40})=(.*)$/s.exec(readText() ?? '') ?? []
    if (name === undefined || value === undefined) continue
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value)
  }
  return fields
}
