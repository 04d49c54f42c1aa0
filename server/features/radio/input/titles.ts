import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { type OggPage, packetsOf } from './frames/ogg.ts'

const MAX_LENGTH = 200

const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** Returns untrusted text on one line; empty for other values. */
export function parseLine(value: unknown, maxLength: number): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return ''
  // Slice first to limit the work for huge texts. Keep extra characters, because the next steps remove some.
  const line = text
    .slice(0, maxLength * 4)
    .toWellFormed()
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return [...line].slice(0, maxLength).join('').trim()
}

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

/** Returns a key that is equal for different spellings of a track. */
export const toTrackKey = ({ artist, title }: LiveTitle): string =>
  `${artist}${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** GStreamer sends `Unknown - Unknown` for sound without tags. */
export const isUnknown = ({ artist, title }: LiveTitle): boolean =>
  [artist, title].every((text) => /^unknown$/i.test(text))

/** In Ogg, these bytes stand before the headers of a FLAC file. https://xiph.org/flac/ogg_mapping.html */
const OGG_FLAC_BYTES = 9

/**
 * Reads the title from tags in the sound. The tag reader is loaded for the first source.
 * @param start the first bytes of a stream, or the header pages of an Ogg stream
 * @returns null if there is no title
 */
export async function readEmbeddedTitle(start: Buffer, type: string): Promise<LiveTitle | null> {
  const { parseBuffer } = await import('music-metadata')
  const parsed = await parseBuffer(start, { mimeType: type }, { duration: false, skipCovers: true }).catch(() => null)
  return parsed && createTitle(parsed.common.artist ?? '', parsed.common.title ?? '')
}

/** @param pages the header pages of an Ogg stream */
export function readOggTitle(pages: OggPage[]): Promise<LiveTitle | null> {
  const [first, ...rest] = packetsOf(pages)
  // The tag reader does not know the comments of FLAC in Ogg.
  return first?.toString('latin1', 0, 5) === '\x7fFLAC'
    ? readEmbeddedTitle(Buffer.concat([first.subarray(OGG_FLAC_BYTES), ...rest]), 'audio/flac')
    : readEmbeddedTitle(Buffer.concat(pages.map(({ bytes }) => bytes)), 'audio/ogg')
}
