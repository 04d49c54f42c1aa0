/** Builds valid, silent MP3 files. Each frame ends with a mark: its track and frame number. */

export type Mp3Options = {
  seconds: number
  /** track number in each frame's mark, 1 to 127 */
  track?: number
  sampleRate?: 44100 | 48000 | 22050
  mono?: boolean
  /** kbit/s; frames alternate between the given rates */
  bitRates?: (64 | 128 | 192 | 320)[]
  /** writes a Xing header first, as encoders do */
  header?: boolean
  tags?: { title?: string; artist?: string; album?: string; picture?: { type: string; bytes: Buffer } }
}

const RATE_BITS = { 44100: 0, 48000: 1, 22050: 0 } as const
const BIT_RATES = {
  1: { 64: 5, 128: 9, 192: 11, 320: 14 } as Record<number, number>,
  2: { 64: 8, 128: 12 } as Record<number, number>,
}
const MARK = 0x6d

/** Returns the bytes of an MP3 file. */
export function mp3(options: Mp3Options): Buffer {
  const parts = framesOf(options)
  if (options.header) parts.unshift(xing(options, parts))
  if (options.tags) parts.unshift(id3v2(options.tags))
  return Buffer.concat(parts)
}

/** Returns the audio frames of a file, without tags and Xing header. */
export function framesOf(options: Mp3Options): Buffer[] {
  const { seconds, track = 1, sampleRate = 44100, bitRates = [128] } = options
  const samples = sampleRate === 22050 ? 576 : 1152
  const count = Math.round((seconds * sampleRate) / samples)
  let owed = 0
  return Array.from({ length: count }, (_, index) => {
    const bitRate = bitRates[index % bitRates.length] ?? 128
    const exact = (samples * bitRate * 125) / sampleRate
    owed += exact - Math.floor(exact)
    const padding = owed >= 1 ? 1 : 0
    owed -= padding
    const frame = emptyFrame(options, bitRate, Math.floor(exact) + padding, padding)
    const digits = [index >> 21, index >> 14, index >> 7, index].map((digit) => digit & 0x7f)
    frame.set([MARK, track, ...digits], frame.length - 6)
    return frame
  })
}

function emptyFrame(
  { sampleRate = 44100, mono }: Mp3Options,
  bitRate: number,
  length: number,
  padding: number,
): Buffer {
  const version = sampleRate === 22050 ? 2 : 1
  const frame = Buffer.alloc(length)
  const bits = ((BIT_RATES[version][bitRate] ?? 0) << 4) | (RATE_BITS[sampleRate] << 2) | (padding << 1)
  frame.set([0xff, version === 1 ? 0xfb : 0xf3, bits, mono ? 0xc0 : 0])
  return frame
}

/** Returns a Xing header that contains the frame count and the file size. */
function xing(options: Mp3Options, frames: Buffer[]): Buffer {
  const { sampleRate = 44100, mono } = options
  const samples = sampleRate === 22050 ? 576 : 1152
  const frame = emptyFrame(options, 128, Math.floor((samples * 128 * 125) / sampleRate), 0)
  const at = 4 + (sampleRate === 22050 ? (mono ? 9 : 17) : mono ? 17 : 32)
  frame.write('Xing', at, 'latin1')
  frame.writeUInt32BE(3, at + 4)
  frame.writeUInt32BE(frames.length, at + 8)
  frame.writeUInt32BE(frame.length + frames.reduce((sum, { length }) => sum + length, 0), at + 12)
  return frame
}

/** Returns an ID3v2.4 tag in UTF-8. */
export function id3v2({ title, artist, album, picture }: NonNullable<Mp3Options['tags']>): Buffer {
  const text = (id: string, value: string | undefined) =>
    value === undefined ? [] : [tagFrame(id, Buffer.concat([Buffer.from([3]), Buffer.from(value)]))]
  const shown = picture && Buffer.concat([Buffer.from(`\0${picture.type}\0\x03\0`, 'latin1'), picture.bytes])
  const frames = [...text('TIT2', title), ...text('TPE1', artist), ...text('TALB', album)]
  const body = Buffer.concat(shown ? [...frames, tagFrame('APIC', shown)] : frames)
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), syncSafe(body.length), body])
}

const tagFrame = (id: string, body: Buffer) =>
  Buffer.concat([Buffer.from(id, 'latin1'), syncSafe(body.length), Buffer.from([0, 0]), body])

/** Encodes a number in four bytes with seven bits each, as ID3 requires. */
export const syncSafe = (size: number) =>
  Buffer.from([size >> 21, size >> 14, size >> 7, size].map((byte) => byte & 0x7f))

/**
 * Reads the marks of consecutive frames.
 * @throws Error unless all bytes are complete frames with 128 kbit/s at 44.1 kHz
 */
export function marksIn(bytes: Buffer): { track: number; frame: number }[] {
  const marks: { track: number; frame: number }[] = []
  for (let at = 0; at < bytes.length; ) {
    if (bytes.readUInt16BE(at) !== 0xfffb) throw new Error(`No frame starts at ${at}`)
    const length = 417 + (((bytes[at + 2] ?? 0) >> 1) & 1)
    if (at + length > bytes.length) throw new Error('Truncated frame')
    const [mark, track = 0, ...digits] = bytes.subarray(at + length - 6, at + length)
    // Other music can have the byte of a mark at the same place, but it is not silent.
    const isSilent = bytes.subarray(at + 4, at + length - 6).every((byte) => byte === 0)
    marks.push(
      isSilent && mark === MARK
        ? { track, frame: digits.reduce((sum, digit) => sum * 128 + digit, 0) }
        : { track: 0, frame: Number.NaN },
    )
    at += length
  }
  return marks
}
