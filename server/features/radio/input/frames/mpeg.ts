import { createFrameScanner, type FrameHeader, type FrameParser, type FrameScanner } from './frameScanner.ts'

export type { Frame } from './frameScanner.ts'

/** MPEG versions in ISO 11172-3 and 13818-3, and the unofficial 2.5 */
const VERSIONS = ['2.5', null, '2', '1'] as const
const SAMPLE_RATES = { 1: [44100, 48000, 32000], 2: [22050, 24000, 16000], 2.5: [11025, 12000, 8000] } as const
/** kbit/s for the bit rate indexes 1 to 14 */
const BIT_RATES = {
  1: {
    1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  2: {
    1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const
const HEADER_BYTES = 10
const XING = ['Xing', 'Info']
const VBRI_AT = 36

type MpegHeader = FrameHeader & { layer: number; xingAt: number }

/** Splits MPEG audio of any version and layer into frames. Drops tags and info frames. */
export function createMpegParser(): FrameParser {
  return toParser(createFrameScanner({ syncMark: 0xff, headerBytes: HEADER_BYTES, readHeader, isEmpty: isInfoFrame }))
}

const toParser = <Header extends FrameHeader>(scanner: FrameScanner<Header>): FrameParser => ({
  push: (chunk) => scanner.push(chunk).map(({ header: { seconds, format }, bytes }) => ({ bytes, seconds, format })),
})

/** Rejects free-format bit rates (index 0), whose frame length is unknown. */
function readHeader(buffer: Buffer, at: number): MpegHeader | null {
  const bits = buffer.readUInt32BE(at)
  if (bits >>> 21 !== 0x7ff) return null
  const version = VERSIONS[(bits >> 19) & 3]
  const layer = (4 - ((bits >> 17) & 3)) as 1 | 2 | 3 | 4
  if (!version || layer === 4) return null
  const sampleRate = SAMPLE_RATES[version][(bits >> 10) & 3]
  const bitRate = BIT_RATES[version === '1' ? 1 : 2][layer][((bits >> 12) & 15) - 1]
  if (!sampleRate || !bitRate) return null
  const channels = ((bits >> 6) & 3) === 3 ? 1 : 2
  const samples = layer === 1 ? 384 : layer === 3 && version !== '1' ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const length = (Math.floor((samples * bitRate * 125) / sampleRate / slot) + ((bits >> 9) & 1)) * slot
  const sideInfo = version === '1' ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17
  return {
    length,
    seconds: samples / sampleRate,
    format: `MPEG-${version} layer ${layer}, ${sampleRate} Hz, ${channels} ch`,
    layer,
    xingAt: 4 + sideInfo,
  }
}

/** Detects an info frame: the first frame of a file, with the frame count instead of audio. */
function isInfoFrame(buffer: Buffer, at: number, { layer, length, xingAt }: MpegHeader): boolean {
  if (layer !== 3 || length < VBRI_AT + 4) return false
  const textAt = (offset: number) => buffer.toString('latin1', at + offset, at + offset + 4)
  return XING.includes(textAt(xingAt)) || textAt(VBRI_AT) === 'VBRI'
}

/** ISO 14496-3, table 1.18 */
const AAC_SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
const AAC_BLOCK_SAMPLES = 1024

/** Splits AAC in ADTS (ISO 13818-7, 6.2) into frames and drops tags between frames. */
export function createAdtsParser(): FrameParser {
  return toParser(createFrameScanner({ syncMark: 0xff, headerBytes: HEADER_BYTES, readHeader: readAdtsHeader }))
}

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
