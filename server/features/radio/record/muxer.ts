import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import {
  BEGINS,
  CONTINUED,
  ENDS,
  NO_GRANULE,
  type OggPage,
  PAGE_HEADER_BYTES,
  packetsOf,
} from '#server/features/radio/input/frames/ogg.ts'

/** Turns frames into the bytes of one file. */
export type Muxer = {
  /** @returns null if the frame needs another decoder, so that another file must begin; `rest` then has its header */
  push(frame: AudioFrame): Buffer[] | null
  /** Returns header pages that came before the refused frame. */
  rest(): AudioFrame[]
  /** Notes that frames are missing before the next frame. */
  skip(): void
  /** Returns the last bytes of a complete file. */
  end(): Buffer[]
  /** Returns the duration of the pushed frames. */
  seconds(): number
}

export const createMuxer = (type: string): Muxer => (type === 'audio/ogg' ? createOggMuxer() : createFrameMuxer())

/** Frames of MPEG and AAC can follow each other as long as their format is the same. */
function createFrameMuxer(): Muxer {
  let format: string | null = null
  let seconds = 0
  return {
    push(frame) {
      format ??= frame.format
      if (frame.format !== format) return null
      seconds += frame.seconds
      return [frame.bytes]
    },
    rest: () => [],
    skip: () => {},
    end: () => [],
    seconds: () => seconds,
  }
}

const COMMENT_PACKET = 1

/**
 * Joins streams of the same codec to one stream without gaps: programs start a new stream with each title, and after
 * each reconnect. Browsers cannot seek in files of several streams. Its own output passes unchanged, so a muxer can
 * continue a file after it has read it.
 */
function createOggMuxer(): Muxer {
  /** held back until the first page with sound */
  let header: OggPage[] = []
  let codec: Buffer | null = null
  let granulesPerSecond = 1
  let serial = 0
  let sequence = 0
  let granule = 0n
  let hasAudio = false
  /** Whether pages were left out: playback cannot continue within a packet. */
  let isAfterGap = false

  const write = ({ bytes, startsMidPacket }: OggPage, flags: number, at: bigint): Buffer =>
    writePage(bytes, { flags: flags | (startsMidPacket ? CONTINUED : 0), granule: at, serial, sequence: sequence++ })

  function begin(pages: OggPage[], { page }: OggPage): Buffer[] {
    granulesPerSecond = page.granulesPerSecond
    serial = page.serial
    return pages.map((one, index) => write(one, index === 0 ? BEGINS : 0, 0n))
  }

  return {
    push(frame) {
      const sound = frame as OggPage
      if (sound.isHeader) {
        if (sound.page.beginsStream) header = []
        header.push(sound)
        return []
      }
      const written: Buffer[] = []
      if (header.length > 0) {
        const description = describeCodec(header)
        if (codec && !codec.equals(description)) return null
        if (!codec) written.push(...begin(header, sound))
        codec = description
        header = []
        isAfterGap = true
      }
      if (!codec || (isAfterGap && sound.startsMidPacket)) return written
      isAfterGap = false
      hasAudio = true
      granule += BigInt(Math.round(sound.seconds * granulesPerSecond))
      written.push(write(sound, 0, sound.page.granule === NO_GRANULE ? NO_GRANULE : granule))
      return written
    },
    rest() {
      const taken = header
      header = []
      return taken
    },
    skip() {
      isAfterGap = true
    },
    /** A page without packets only ends the stream. */
    end() {
      if (!hasAudio) return []
      const page = Buffer.alloc(PAGE_HEADER_BYTES)
      page.write('OggS', 'latin1')
      return [writePage(page, { flags: ENDS, granule, serial, sequence: sequence++ })]
    },
    seconds: () => (hasAudio ? Number(granule) / granulesPerSecond : 0),
  }
}

/** Returns what a decoder needs: all header packets but the comments, which change with each title. */
const describeCodec = (pages: OggPage[]): Buffer =>
  Buffer.concat(packetsOf(pages).filter((_packet, index) => index !== COMMENT_PACKET))

/** Returns a copy of a page with other fields and the right checksum. Offsets: RFC 3533, section 6. */
function writePage(page: Buffer, fields: { flags: number; granule: bigint; serial: number; sequence: number }): Buffer {
  const copy = Buffer.from(page)
  copy[5] = fields.flags
  copy.writeBigInt64LE(fields.granule, 6)
  copy.writeUInt32LE(fields.serial, 14)
  copy.writeUInt32LE(fields.sequence >>> 0, 18)
  copy.writeUInt32LE(0, 22)
  copy.writeUInt32LE(checksum(copy), 22)
  return copy
}

const POLYNOMIAL = 0x04c11db7
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ POLYNOMIAL : value << 1
  return value >>> 0
})

/** Returns the checksum of a page whose own checksum is 0. */
export function checksum(page: Buffer): number {
  let value = 0
  for (const byte of page) value = ((value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
  return value
}
