import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import { readCodec } from '#server/features/radio/input/frames/ogg.ts'
import {
  BEGINS,
  CONTINUED,
  createEndPage,
  NO_GRANULE,
  PAGE_HEADER_BYTES,
  packetsOf,
  readPage,
  rewritePage,
} from './oggPages.ts'

/** A larger step of the granule position is an error or a cut in the source. */
const MAX_STEP_SECONDS = 10
const COMMENT_PACKET = 1

export type OggSplicer = ReturnType<typeof createOggSplicer>

/**
 * Joins streams of the same codec to one stream without gaps: programs start a new stream with each title, and after
 * each reconnect. Browsers cannot seek in files of several streams. Its own output passes unchanged, so a splicer can
 * continue a file after it has read it.
 */
export function createOggSplicer() {
  let headers: Buffer[] = []
  let codec: Buffer | null = null
  let granulesPerSecond = 1
  let serial = 0
  let sequence = 0
  let granule = 0n
  let sourceSerial: number | null = null
  let sourceGranule = 0n
  let hasAudio = false
  /** Whether pages were left out: playback cannot continue within a packet. */
  let isAfterGap = false

  function advance(pageGranule: bigint): bigint {
    if (pageGranule === NO_GRANULE) return NO_GRANULE
    const step = pageGranule - sourceGranule
    sourceGranule = pageGranule
    if (step > 0n && step <= BigInt(MAX_STEP_SECONDS * granulesPerSecond)) granule += step
    return granule
  }

  const write = (page: Buffer, flags: number, at: bigint) =>
    rewritePage(page, { flags, granule: at, serial, sequence: sequence++ })

  function begin(pages: Buffer[], description: Buffer): Buffer[] {
    codec = description
    granulesPerSecond = readCodec(pages[0]?.subarray(bodyOf(pages[0])) ?? Buffer.alloc(0))?.granulesPerSecond ?? 1
    serial = pages[0] ? readPage(pages[0]).serial : 0
    return pages.map((page, index) => write(page, (readPage(page).flags & CONTINUED) | (index === 0 ? BEGINS : 0), 0n))
  }

  return {
    /**
     * Returns the pages to write. Header pages are held back until the first page with sound.
     * @returns null if the page needs another decoder; `takeHeaders` then returns its header pages
     */
    push({ bytes, isHeader }: AudioFrame): Buffer[] | null {
      const page = readPage(bytes)
      if (isHeader) {
        if (page.flags & BEGINS) headers = []
        headers.push(bytes)
        return []
      }
      let written: Buffer[] = []
      if (headers.length > 0) {
        const description = describeCodec(headers)
        if (codec && !codec.equals(description)) return null
        if (!codec) written = begin(headers, description)
        headers = []
        sourceSerial = null
      }
      if (!codec) return []
      if (page.serial !== sourceSerial) {
        sourceSerial = page.serial
        sourceGranule = 0n
        isAfterGap = true
      }
      if (isAfterGap && page.flags & CONTINUED) return []
      isAfterGap = false
      hasAudio = true
      written.push(write(bytes, page.flags & CONTINUED, advance(page.granule)))
      return written
    },

    takeHeaders(): Buffer[] {
      const taken = headers
      headers = []
      return taken
    },

    /** Notes that pages are missing before the next page. */
    skip(): void {
      isAfterGap = true
    },

    end: (): Buffer[] => (hasAudio ? [createEndPage({ granule, serial, sequence: sequence++ })] : []),

    seconds: (): number => (hasAudio ? Number(granule) / granulesPerSecond : 0),
  }
}

const bodyOf = (page: Buffer) => PAGE_HEADER_BYTES + (page[PAGE_HEADER_BYTES - 1] ?? 0)

/** Returns what a decoder needs: all header packets but the comments, which change with each title. */
const describeCodec = (pages: Buffer[]): Buffer =>
  Buffer.concat(packetsOf(pages).filter((_packet, index) => index !== COMMENT_PACKET))
