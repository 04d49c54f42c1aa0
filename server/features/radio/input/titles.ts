import { parseLine } from '#server/features/radio/azuracast/parseValues.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'

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

/** The frames with artist and title, by the version of the tag: https://id3.org/id3v2.4.0-frames, 4.2 */
const NAMES: Record<number, { artist: string; title: string }> = {
  2: { artist: 'TP1', title: 'TT2' },
  3: { artist: 'TPE1', title: 'TIT2' },
  4: { artist: 'TPE1', title: 'TIT2' },
}
const HEADER_BYTES = 10
const HAS_EXTENDED_HEADER = 0x40
const CHARSETS = ['latin1', 'utf-16', 'utf-16be', 'utf-8']

/** Reads artist and title from an ID3v2 tag, whose end can be missing. */
export function readId3(tag: Buffer): { artist: string; title: string } {
  const version = tag[3] ?? 0
  const names = NAMES[version]
  if (!names || tag.toString('latin1', 0, 3) !== 'ID3') return { artist: '', title: '' }
  const texts = new Map<string, string>()
  const nameBytes = names.title.length
  const headBytes = version === 2 ? 6 : 10
  const end = Math.min(tag.length, HEADER_BYTES + readSize(tag, 6, 4, 7))
  for (let at = HEADER_BYTES + extendedHeaderBytes(tag, version); at + headBytes < end; ) {
    const size = readSize(tag, at + nameBytes, version === 2 ? 3 : 4, version === 4 ? 7 : 8)
    const from = at + headBytes
    if (size === 0 || from + size > end) break
    texts.set(tag.toString('latin1', at, at + nameBytes), decodeText(tag.subarray(from, from + size)))
    at = from + size
  }
  return { artist: texts.get(names.artist) ?? '', title: texts.get(names.title) ?? '' }
}

function extendedHeaderBytes(tag: Buffer, version: number): number {
  if (version === 2 || !((tag[5] ?? 0) & HAS_EXTENDED_HEADER)) return 0
  // Only version 2.4 counts the size itself.
  return version === 4 ? readSize(tag, HEADER_BYTES, 4, 7) : 4 + readSize(tag, HEADER_BYTES, 4, 8)
}

/** @param bits used bits of each byte */
const readSize = (tag: Buffer, at: number, bytes: number, bits: number): number =>
  tag.subarray(at, at + bytes).reduce((size, byte) => size * 2 ** bits + byte, 0)

/** The first byte is the charset. Several values are separated by zeros: returns the first one. */
function decodeText(value: Buffer): string {
  const charset = CHARSETS[value[0] ?? 0] ?? 'latin1'
  return new TextDecoder(charset).decode(value.subarray(1)).split('\0')[0] ?? ''
}
