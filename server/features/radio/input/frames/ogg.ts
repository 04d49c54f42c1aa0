import { createFrameScanner, type Frame, type FrameHeader } from './frameScanner.ts'

/** RFC 3533, section 6 */
const CAPTURE_PATTERN = 'OggS'
export const PAGE_HEADER_BYTES = 27
export const CONTINUED = 1
export const BEGINS = 2
export const ENDS = 4
export const NO_GRANULE = -1n
/** Limits memory: header pages wait here for the first page of audio, and readers keep them until the stream ends. */
const MAX_HEADER_BYTES = 512 * 1024
/** A larger step in the granule position means an error or a cut in the source. */
const MAX_PAGE_SECONDS = 10

/** The fields of a page that a writer of Ogg needs. */
type PageFields = { beginsStream: boolean; serial: number; granule: bigint; granulesPerSecond: number; bodyAt: number }

export type OggPage = Frame & {
  /** A decoder needs header pages before all other pages. */
  isHeader: boolean
  /** The page starts within a packet: playback cannot start here. */
  startsMidPacket: boolean
  page: PageFields
}

type PageHeader = FrameHeader & { flags: number; granule: bigint; serial: number; packetsEnded: number; bodyAt: number }
type Codec = { format: string; granulesPerSecond: number; headerPackets: number }
type LogicalStream = Codec & {
  serial: number
  header: OggPage[]
  headerBytes: number
  granule: bigint
  hasAudio: boolean
}

/**
 * Keeps only one audio stream (Vorbis, Opus or FLAC). Each link of a chained stream has its own header. Drops links
 * that have only a header: ices2 sends one before its live input. So header pages always precede a page of audio.
 */
export function createOggParser(): { push(chunk: Buffer): OggPage[] } {
  const scanner = createFrameScanner({ syncMark: CAPTURE_PATTERN, headerBytes: PAGE_HEADER_BYTES, readHeader })
  let logical: LogicalStream | null = null

  function toPages({ flags, granule, serial, packetsEnded, bodyAt, bytes }: PageHeader & Frame): OggPage[] {
    // Multiplexed streams start together: ignore other streams that start before the first audio page.
    if (flags & BEGINS && !(logical && !logical.hasAudio && logical.serial !== serial)) {
      const codec = readCodec(bytes.subarray(bodyAt))
      if (codec) logical = { ...codec, serial, header: [], headerBytes: 0, granule: 0n, hasAudio: false }
    }
    if (logical?.serial !== serial) return []
    const { format, granulesPerSecond } = logical
    const isHeader = logical.headerPackets > 0
    const startsMidPacket = (flags & CONTINUED) !== 0
    const fields = { beginsStream: (flags & BEGINS) !== 0, serial, granule, granulesPerSecond, bodyAt }
    const page: OggPage = { bytes, seconds: 0, format, isHeader, startsMidPacket, page: fields }
    if (isHeader) {
      logical.headerPackets -= packetsEnded
      logical.headerBytes += bytes.length
      logical.header.push(page)
      if (flags & ENDS || logical.headerBytes > MAX_HEADER_BYTES) logical = null
      return []
    }
    logical.hasAudio = true
    if (granule !== NO_GRANULE) page.seconds = secondsSinceLastPage(logical, granule)
    const { header } = logical
    logical.header = []
    if (flags & ENDS) logical = null
    return [...header, page]
  }

  return {
    push: (chunk) => scanner.push(chunk).flatMap(toPages),
  }
}

function readHeader(buffer: Buffer, at: number): PageHeader | 'short' | null {
  if (buffer.toString('latin1', at, at + 4) !== CAPTURE_PATTERN || buffer[at + 4] !== 0) return null
  const bodyAt = PAGE_HEADER_BYTES + (buffer[at + 26] ?? 0)
  if (buffer.length < at + bodyAt) return 'short'
  const lacing = buffer.subarray(at + PAGE_HEADER_BYTES, at + bodyAt)
  let length = bodyAt
  let packetsEnded = 0
  for (const size of lacing) {
    length += size
    if (size < 255) packetsEnded++
  }
  return {
    length,
    seconds: 0,
    format: CAPTURE_PATTERN,
    flags: buffer[at + 5] ?? 0,
    granule: buffer.readBigInt64LE(at + 6),
    serial: buffer.readUInt32LE(at + 14),
    packetsEnded,
    bodyAt,
  }
}

function secondsSinceLastPage(logical: LogicalStream, granule: bigint): number {
  const seconds = Number(granule - logical.granule) / logical.granulesPerSecond
  logical.granule = granule
  return seconds > 0 && seconds <= MAX_PAGE_SECONDS ? seconds : 0
}

function readCodec(packet: Buffer): Codec | null {
  const name = packet.toString('latin1', 0, 8)
  if (name.startsWith('\x01vorbis') && packet.length >= 16) {
    return codec('Vorbis', packet.readUInt32LE(12), packet[11] ?? 0, 3)
  }
  // RFC 7845, section 4: Opus always counts 48,000 samples per second.
  if (name === 'OpusHead' && packet.length >= 10) return codec('Opus', 48_000, packet[9] ?? 0, 2)
  if (name.startsWith('\x7fFLAC') && packet.length >= 31) {
    const rateAndChannels = packet.readUInt32BE(27)
    return codec('FLAC', rateAndChannels >>> 12, ((rateAndChannels >> 9) & 7) + 1, 1 + packet.readUInt16BE(7))
  }
  return null
}

function codec(name: string, sampleRate: number, channels: number, headerPackets: number): Codec | null {
  if (sampleRate === 0 || channels === 0) return null
  return { format: `${name}, ${sampleRate} Hz, ${channels} ch`, granulesPerSecond: sampleRate, headerPackets }
}

/** Returns the complete packets of consecutive pages. */
export function packetsOf(pages: Pick<OggPage, 'bytes' | 'page'>[]): Buffer[] {
  const packets: Buffer[] = []
  let pieces: Buffer[] = []
  for (const { bytes, page } of pages) {
    let at = page.bodyAt
    for (const size of bytes.subarray(PAGE_HEADER_BYTES, page.bodyAt)) {
      pieces.push(bytes.subarray(at, at + size))
      at += size
      if (size === 255) continue
      packets.push(Buffer.concat(pieces))
      pieces = []
    }
  }
  return packets
}
