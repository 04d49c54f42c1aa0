import { parseLine } from '#server/features/radio/azuracast/parseValues.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { readId3 } from './frames/tags.ts'

const MAX_LENGTH = 200
/** Limits the work for hostile headers. */
const MAX_COMMENTS = 200
const COMMENT_MARKS = ['OpusTags', '\x03vorbis']
/** RFC 9639, section 8.1: the type and the length of a metadata block. */
const FLAC_COMMENTS = 4
const FLAC_HEADER_BYTES = 4

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

/** @param packets the header packets of an Ogg stream: one has the comments, with a mark of the codec in front */
export function readOggTitle(packets: Buffer[]): LiveTitle | null {
  const isFlac = packets[0]?.toString('latin1', 0, 5) === '\x7fFLAC'
  for (const packet of packets) {
    const mark = COMMENT_MARKS.find((one) => packet.toString('latin1', 0, one.length) === one)
    const isFlacComment = isFlac && ((packet[0] ?? 0) & 0x7f) === FLAC_COMMENTS
    if (mark === undefined && !isFlacComment) continue
    const fields = parseComments(packet.subarray(mark?.length ?? FLAC_HEADER_BYTES))
    return createTitle(fields.get('artist') ?? '', fields.get('title') ?? '')
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
