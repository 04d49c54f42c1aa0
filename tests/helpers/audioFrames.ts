/** Builds AAC frames and Ogg pages: valid framing around dummy payloads. */

/** Creates an ADTS frame of AAC-LC whose last two bytes are `mark`. */
export function adtsFrame(
  mark: number,
  { length = 200, rateIndex = 4, channels = 2 }: { length?: number; rateIndex?: number; channels?: number } = {},
): Buffer {
  const frame = Buffer.alloc(length)
  frame.set([0xff, 0xf1, 0x40 | (rateIndex << 2) | (channels >> 2)])
  frame.writeUInt32BE((((channels & 3) << 30) | (length << 13) | (0x7ff << 2)) >>> 0, 3)
  frame.writeUInt16BE(mark & 0xffff, length - 2)
  return frame
}

type Page = { serial?: number; flags?: number; granule?: bigint; packets?: Buffer[]; open?: boolean; number?: number }

/** Creates an Ogg page without a checksum. With `open`, its last packet continues on the next page. */
export function oggPage({ serial = 1, flags = 0, granule = 0n, packets = [], open = false, number = 0 }: Page): Buffer {
  const lacing: number[] = []
  for (const [index, { length }] of packets.entries()) {
    for (let left = length; left >= 255; left -= 255) lacing.push(255)
    if (!(open && index === packets.length - 1)) lacing.push(length % 255)
  }
  const header = Buffer.alloc(27)
  header.write('OggS', 'latin1')
  header[5] = flags
  header.writeBigInt64LE(granule, 6)
  header.writeUInt32LE(serial, 14)
  header.writeUInt32LE(number, 18)
  header[26] = lacing.length
  return Buffer.concat([header, Buffer.from(lacing), ...packets])
}

export const vorbisHead = ({
  serial = 1,
  sampleRate = 44100,
  channels = 2,
  comment = 'comment',
  endsStream = false,
} = {}): Buffer[] => {
  const identification = Buffer.alloc(30)
  identification.write('\x01vorbis', 'latin1')
  identification[11] = channels
  identification.writeUInt32LE(sampleRate, 12)
  return [
    oggPage({ serial, flags: 2, packets: [identification] }),
    oggPage({
      serial,
      flags: endsStream ? 4 : 0,
      packets: [Buffer.from(`\x03vorbis${comment}`), Buffer.from('\x05vorbis setup')],
      number: 1,
    }),
  ]
}

export const opusHead = (serial = 1, channels = 2): Buffer[] => {
  const head = Buffer.alloc(19)
  head.write('OpusHead\x01', 'latin1')
  head[9] = channels
  return [
    oggPage({ serial, flags: 2, packets: [head] }),
    oggPage({ serial, packets: [Buffer.from('OpusTags')], number: 1 }),
  ]
}

/** Creates consecutive Ogg pages with sound, each `seconds` long. */
export const oggSound = (count: number, { serial = 1, rate = 44100, seconds = 0.5, from = 1, bytes = 500 } = {}) =>
  Array.from({ length: count }, (_, index) =>
    oggPage({
      serial,
      granule: BigInt(Math.round((from + index) * rate * seconds)),
      packets: [Buffer.alloc(bytes, (from + index) % 251)],
      number: from + index + 1,
    }),
  )
