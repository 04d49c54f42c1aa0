import { createFrameScanner, type FrameHeader, type FrameParser } from './frameScanner.ts'

/** ISO 14496-3, table 1.18 */
const SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
const HEADER_BYTES = 10
const BLOCK_SAMPLES = 1024

/** Splits AAC in ADTS (ISO 13818-7, 6.2) into frames and drops tags between frames. */
export function createAdtsParser(): FrameParser {
  const scanner = createFrameScanner({ syncMark: 0xff, headerBytes: HEADER_BYTES, readHeader })
  return {
    leadingTags: scanner.leadingTags,
    push: (chunk) => scanner.push(chunk).map(({ header: { seconds, format }, bytes }) => ({ bytes, seconds, format })),
  }
}

function readHeader(buffer: Buffer, at: number): FrameHeader | null {
  const bits = buffer.readUInt32BE(at)
  const sampleRate = SAMPLE_RATES[(bits >> 10) & 15]
  // Check the sync word and layer 0. MPEG audio never has layer 0.
  if (bits >>> 20 !== 0xfff || ((bits >> 17) & 3) !== 0 || !sampleRate) return null
  const low = buffer.readUInt32BE(at + 3)
  const length = (low >> 13) & 0x1fff
  if (length < HEADER_BYTES) return null
  const blocks = ((buffer[at + 6] ?? 0) & 3) + 1
  const [version, profile, channels] = [(bits >> 19) & 1, (bits >> 14) & 3, (bits >> 6) & 7]
  return {
    length,
    seconds: (blocks * BLOCK_SAMPLES) / sampleRate,
    format: `AAC ${version}/${profile}, ${sampleRate} Hz, channels ${channels}`,
  }
}
