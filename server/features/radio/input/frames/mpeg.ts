import { createFrameScanner, type FrameHeader, type FrameParser } from './frameScanner.ts'

export type { Frame } from './frameScanner.ts'

/** MPEG versions in ISO 11172-3 and 13818-3, and the unofficial 2.5 */
const VERSIONS = ['2.5', null, '2', '1'] as const
const SAMPLE_RATES = { 1: [44100, 48000, 32000], 2: [22050, 24000, 16000], 2.5: [11025, 12000, 8000] } as const
/** kbit/s of layer 3 for the bit rate indexes 1 to 14 */
const BIT_RATES = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const HEADER_BYTES = 10
const LAYER_3 = 1
/** where info frames have their mark: behind the side information, whose length depends on version and channels */
const MARKS_AT = [13, 21, 36]
const INFO_MARK = /^(?:Xing|Info|VBRI)$/

/** Splits MPEG audio layer 3 (MP3) of any version into frames: browsers play no other layer. Drops tags and info frames. */
export const createMpegParser = (): FrameParser =>
  createFrameScanner({ syncMark: 0xff, headerBytes: HEADER_BYTES, readHeader, isEmpty: isInfoFrame })

/** Rejects free-format bit rates (index 0), whose frame length is unknown. */
function readHeader(buffer: Buffer, at: number): FrameHeader | null {
  const bits = buffer.readUInt32BE(at)
  const version = VERSIONS[(bits >> 19) & 3]
  if (bits >>> 21 !== 0x7ff || !version || ((bits >> 17) & 3) !== LAYER_3) return null
  const sampleRate = SAMPLE_RATES[version][(bits >> 10) & 3]
  const bitRate = BIT_RATES[version === '1' ? 1 : 2][((bits >> 12) & 15) - 1]
  if (!sampleRate || !bitRate) return null
  const channels = ((bits >> 6) & 3) === 3 ? 1 : 2
  const samples = version === '1' ? 1152 : 576
  return {
    length: Math.floor((samples * bitRate * 125) / sampleRate) + ((bits >> 9) & 1),
    seconds: samples / sampleRate,
    format: `MPEG-${version} layer 3, ${sampleRate} Hz, ${channels} ch`,
  }
}

/** Detects an info frame: the first frame of a file, with the frame count instead of audio. */
const isInfoFrame = (frame: Buffer): boolean =>
  MARKS_AT.some((at) => INFO_MARK.test(frame.toString('latin1', at, at + 4)))

/** ISO 14496-3, table 1.18 */
const AAC_SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
const AAC_BLOCK_SAMPLES = 1024

/** Splits AAC in ADTS (ISO 13818-7, 6.2) into frames and drops tags between frames. */
export const createAdtsParser = (): FrameParser =>
  createFrameScanner({ syncMark: 0xff, headerBytes: HEADER_BYTES, readHeader: readAdtsHeader })

function readAdtsHeader(buffer: Buffer, at: number): FrameHeader | null {
  const bits = buffer.readUInt32BE(at)
  const sampleRate = AAC_SAMPLE_RATES[(bits >> 10) & 15]
  // Check the sync word and layer 0. MPEG audio never has layer 0.
  if (bits >>> 20 !== 0xfff || ((bits >> 17) & 3) !== 0 || !sampleRate) return null
  const low = buffer.readUInt32BE(at + 3)
  const length = (low >> 13) & 0x1fff
  if (length < HEADER_BYTES) return null
  const blocks = ((buffer[at + 6] ?? 0) & 3) + 1
  const [version, profile, channels] = [(bits >> 19) & 1, (bits >> 14) & 3, (bits >> 6) & 7]
  return {
    length,
    seconds: (blocks * AAC_BLOCK_SAMPLES) / sampleRate,
    format: `AAC ${version}/${profile}, ${sampleRate} Hz, channels ${channels}`,
  }
}
