import type { ReadAt } from './mp3Files.ts'

/** Limits the ID3v2 tags per file. Some programs write several. */
const MAX_TAGS = 8

/** Returns the position of the first byte after the ID3v2 tags (id3.org, ID3v2.4.0 structure, 3.1). */
export async function findAudioStart(read: ReadAt): Promise<number> {
  let start = 0
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const head = await read(start, 10)
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break
    // The size is a syncsafe integer: 7 bits per byte.
    const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
    const footer = ((head[5] ?? 0) & 0x10) > 0 ? 10 : 0
    start += 10 + size + footer
  }
  return start
}

export async function findAudioEnd(read: ReadAt, size: number): Promise<number> {
  let end = size
  const last = await read(Math.max(0, end - 128), 128)
  if (last.length === 128 && last.toString('latin1', 0, 3) === 'TAG') end -= 128
  const footer = await read(Math.max(0, end - 32), 32)
  if (footer.length === 32 && footer.toString('latin1', 0, 8) === 'APETAGEX') {
    const hasHeader = (footer.readUInt32LE(20) & 0x8000_0000) !== 0
    end -= footer.readUInt32LE(12) + (hasHeader ? 32 : 0)
  }
  return Math.max(0, end)
}
