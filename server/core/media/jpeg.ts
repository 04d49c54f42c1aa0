const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

/** Matches markers without a length: TEM, RST0 to RST7 and SOI. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Matches SOF0 to SOF15, but not DHT, JPG and DAC. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/**
 * Reads the size, the number of scans, and whether the file has its end mark. Finds markers like libjpeg: skips garbage
 * between segments and treats `FF 00` in a scan as an escaped byte.
 */
export function readJpeg(bytes: Buffer): { width: number; height: number; scans: number; isWhole: boolean } | null {
  let size: { width: number; height: number } | null = null
  let scans = 0
  let isWhole = false
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[++at] ?? 0
    if (marker === END_OF_IMAGE) {
      isWhole = true
      break
    }
    if (marker === 0xff) continue
    if (marker === 0 || isStandalone(marker)) {
      at++
      continue
    }
    if (at + 2 >= bytes.length) break
    if (marker === START_OF_SCAN) scans++
    const length = bytes.readUInt16BE(at + 1)
    if (isFrameHeader(marker) && length === 8 + 3 * (bytes[at + 8] ?? 0) && at + length < bytes.length) {
      size ??= { height: bytes.readUInt16BE(at + 4), width: bytes.readUInt16BE(at + 6) }
    }
    at += 1 + length
  }
  return size && { ...size, scans, isWhole }
}

export const withEndMark = (jpeg: Buffer): Buffer => Buffer.concat([jpeg, Buffer.from([0xff, END_OF_IMAGE])])
