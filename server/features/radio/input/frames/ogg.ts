import { createFrameScanner, type Frame, type FrameHeader } from './frameScanner.ts'

/** RFC 3533, section 6 */
const CAPTURE_PATTERN = 'OggS'
const HEADER_BYTES = 27
const CONTINUED = 1
const BEGINS = 2
const ENDS = 4
const NO_GRANULE = -1n
/** Limits memory: header pages wait here for the first page of audio, and readers keep them until the stream ends. */
const MAX_HEADER_BYTES = 512 * 1024
/** A larger step in the granule position means an error or a cut in the source. */
const MAX_PAGE_SECONDS = 10

type PageHeader = FrameHeader & { flags: number; granule: bigint; serial: number; packetsEnded: number; bodyAt: number }
export type Codec = { format: string; granulesPerSecond: number; headerPackets: number }
type LogicalStream = Codec & { serial: number; header: OggPage[]; headerBytes: number; lastGranule: bigint | null }

export type OggPage = Frame & {
  /** A decoder needs header pages before all other pages. */
  isHeader: boolean
  /** The page starts within a packet: playback cannot start here. */
  startsMidPacket: boolean
}

/**
 * Keeps only one audio stream (Vorbis, Opus or FLAC). Each link of a chained stream has its own header. Drops links
 * that have only a header: ices2 sends one before its live input. So header pages always precede a page of audio.
 */
export function createOggParser(): { push(chunk: Buffer): OggPage[]; leadingTags(): Buffer } {
  const scanner = createFrameScanner({ syncMark: CAPTURE_PATTERN, headerBytes: HEADER_BYTES, readHeader })
  let logical: LogicalStream | null = null

  function toPages({ flags, granule, serial, packetsEnded, bodyAt }: PageHeader, bytes: Buffer): OggPage[] {
    // Multiplexed streams start together: ignore other streams that start before the first audio page.
    if (flags & BEGINS && !(logical && logical.lastGranule === null && logical.serial !== serial)) {
      const createCodec = readCodec(bytes.subarray(bodyAt))
      if (createCodec) logical = { ...createCodec, serial, header: [], headerBytes: 0, lastGranule: null }
    }
    if (logical?.serial !== serial) return []
    const { format } = logical
    const startsMidPacket = (flags & CONTINUED) !== 0
    if (logical.headerPackets > 0) {
      logical.headerPackets -= packetsEnded
      logical.headerBytes += bytes.length
      logical.header.push({ bytes, seconds: 0, format, isHeader: true, startsMidPacket })
      if (flags & ENDS || logical.headerBytes > MAX_HEADER_BYTES) logical = null
      return []
    }
    const seconds = granule === NO_GRANULE ? 0 : secondsSinceLastPage(logical, granule)
    const { header } = logical
    logical.header = []
    if (flags & ENDS) logical = null
    return [...header, { bytes, seconds, format, isHeader: false, startsMidPacket }]
  }

  return {
    leadingTags: scanner.leadingTags,
    push: (chunk) => scanner.push(chunk).flatMap(({ header, bytes }) => toPages(header, bytes)),
  }
}

function readHeader(buffer: Buffer, at: number): PageHeader | 'short' | null {
  if (buffer.toString('latin1', at, at + 4) !== CAPTURE_PATTERN || buffer[at + 4] !== 0) return null
  const bodyAt = HEADER_BYTES + (buffer[at + 26] ?? 0)
  if (buffer.length < at + bodyAt) return 'short'
  const lacing = buffer.subarray(at + HEADER_BYTES, at + bodyAt)
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
  const seconds = logical.lastGranule === null ? 0 : Number(granule - logical.lastGranule) / logical.granulesPerSecond
  logical.lastGranule = granule
  return seconds > 0 && seconds <= MAX_PAGE_SECONDS ? seconds : 0
}

export function readCodec(packet: Buffer): Codec | null {
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

function codec(name: string, sampleRate: number, channels: number, headPackets: number): Codec | null {
  if (sampleRate === 0 || channels === 0) return null
  return {
    format: `${name}, ${sampleRate} Hz, ${channels} ch`,
    granulesPerSecond: sampleRate,
    headerPackets: headPackets,
  }
}
