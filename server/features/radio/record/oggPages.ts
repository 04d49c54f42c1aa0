/** Offsets of a page's header, RFC 3533, section 6. */
const FLAGS = 5
const GRANULE = 6
const SERIAL = 14
const SEQUENCE = 18
const CHECKSUM = 22
const SEGMENTS = 26
export const PAGE_HEADER_BYTES = 27

export const CONTINUED = 1
export const BEGINS = 2
export const ENDS = 4
export const NO_GRANULE = -1n

type PageFields = { flags: number; granule: bigint; serial: number; sequence: number }

export const readPage = (page: Buffer): PageFields => ({
  flags: page[FLAGS] ?? 0,
  granule: page.readBigInt64LE(GRANULE),
  serial: page.readUInt32LE(SERIAL),
  sequence: page.readUInt32LE(SEQUENCE),
})

/** Returns a copy of a page with other fields and the right checksum. */
export function rewritePage(page: Buffer, { flags, granule, serial, sequence }: PageFields): Buffer {
  const copy = Buffer.from(page)
  copy[FLAGS] = flags
  copy.writeBigInt64LE(granule, GRANULE)
  copy.writeUInt32LE(serial, SERIAL)
  copy.writeUInt32LE(sequence >>> 0, SEQUENCE)
  copy.writeUInt32LE(0, CHECKSUM)
  copy.writeUInt32LE(checksum(copy), CHECKSUM)
  return copy
}

/** Creates a page without packets, which only ends a stream. */
export function createEndPage(fields: Omit<PageFields, 'flags'>): Buffer {
  const page = Buffer.alloc(PAGE_HEADER_BYTES)
  page.write('OggS', 'latin1')
  return rewritePage(page, { ...fields, flags: ENDS })
}

/** Returns the complete packets of consecutive pages. */
export function packetsOf(pages: Buffer[]): Buffer[] {
  const packets: Buffer[] = []
  let pieces: Buffer[] = []
  for (const page of pages) {
    const bodyAt = PAGE_HEADER_BYTES + (page[SEGMENTS] ?? 0)
    let at = bodyAt
    for (const size of page.subarray(PAGE_HEADER_BYTES, bodyAt)) {
      pieces.push(page.subarray(at, at + size))
      at += size
      if (size === 255) continue
      packets.push(Buffer.concat(pieces))
      pieces = []
    }
  }
  return packets
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
