import { readTagLength } from '#server/features/radio/input/frames/frameScanner.ts'
import { parseLine } from '#server/features/radio/input/titles.ts'
import { type FileEntry, type ReadAt, withFile } from './files.ts'

export type Tags = { title: string | null; artist: string | null; album: string | null; hasCoverArt: boolean }

/** Limits memory: longer tags are skipped. */
const MAX_TAG_BYTES = 12 * 1024 * 1024
const TAIL_BYTES = 256 * 1024
/** The parser needs some audio data to detect the file type. */
const PARSER_AUDIO_BYTES = 8 * 1024
const MAX_TEXT_LENGTH = 200

export async function readTags(file: FileEntry): Promise<Tags> {
  const common = await parseTags(file)
  return {
    title: cleanText(common?.title),
    artist: cleanText(common?.artist),
    album: cleanText(common?.album),
    hasCoverArt: (common?.picture?.length ?? 0) > 0,
  }
}

export async function readCoverArt(file: FileEntry): Promise<Buffer | null> {
  const common = await parseTags(file)
  const pictures = common?.picture ?? []
  const chosen = pictures.find(({ type }) => type === 'Cover (front)') ?? pictures[0]
  return chosen ? Buffer.from(chosen.data) : null
}

/** Gives the parser only the tags and a little audio: the rest of the file would cost time and memory. */
async function parseTags(file: FileEntry) {
  const parts = await withFile(file, async (read) => {
    const start = await findAudioStart(read)
    const end = await findAudioEnd(read, file.size)
    const from = start > MAX_TAG_BYTES ? start : 0
    const head = await read(from, Math.min(start, file.size) - from + PARSER_AUDIO_BYTES)
    return end < file.size ? [head, await read(Math.max(end, file.size - TAIL_BYTES), TAIL_BYTES)] : [head]
  })
  // The parser is loaded on first use: sites with an external radio service never need it.
  const { parseBuffer } = await import('music-metadata')
  try {
    const { common } = await parseBuffer(Buffer.concat(parts), { mimeType: 'audio/mpeg' }, { duration: false })
    return common
  } catch {
    return null
  }
}

const cleanText = (text: string | undefined): string | null => parseLine(text, MAX_TEXT_LENGTH) || null

/** Limits the tags at the start of a file. Some programs write several. */
const MAX_TAGS = 8
/** Enough to know the length of any tag. */
const TAG_HEAD_BYTES = 32

/** Returns the position of the first byte after the tags. */
export async function findAudioStart(read: ReadAt): Promise<number> {
  let start = 0
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const head = await read(start, TAG_HEAD_BYTES)
    const length = head.length < TAG_HEAD_BYTES ? 0 : readTagLength(head, 0)
    if (length === 'short' || length === 0) break
    start += length
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
