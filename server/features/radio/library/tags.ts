import { type FileEntry, findAudioEnd, findAudioStart, withFile } from './files.ts'

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

function cleanText(text: string | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...line.slice(0, 2 * MAX_TEXT_LENGTH)].slice(0, MAX_TEXT_LENGTH).join('') || null
}
