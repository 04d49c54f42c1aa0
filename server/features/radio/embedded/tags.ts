import { soundEnd, soundStart } from './audioBounds.ts'
import { type FoundFile, reading } from './mp3Files.ts'

export type Tags = { title: string | null; artist: string | null; album: string | null; hasPicture: boolean }

/** Guards memory: longer tags, with pictures no radio needs, are passed over. */
const TAG_BYTES = 12 * 1024 * 1024
const END_BYTES = 256 * 1024
/** So much sound lets the parser see what kind of file it is. */
const SOUND_BYTES = 8 * 1024
const TEXT_CHARACTERS = 200

/** What a file tells about itself; nothing where it tells nothing that can be read. */
export async function readTags(file: FoundFile): Promise<Tags> {
  const common = await parse(file)
  return {
    title: clean(common?.title),
    artist: clean(common?.artist),
    album: clean(common?.album),
    hasPicture: (common?.picture?.length ?? 0) > 0,
  }
}

/** The first picture in a file's tags, as it lies there; null where there is none. */
export async function readPicture(file: FoundFile): Promise<Buffer | null> {
  const common = await parse(file)
  const pictures = common?.picture ?? []
  const chosen = pictures.find(({ type }) => type === 'Cover (front)') ?? pictures[0]
  return chosen ? Buffer.from(chosen.data) : null
}

/** The parser gets the tags and a little sound, never the file: what is in between costs nothing and harms nothing. */
async function parse(file: FoundFile) {
  const parts = await reading(file, async (read) => {
    const start = await soundStart(read)
    const end = await soundEnd(read, file.size)
    const from = start > TAG_BYTES ? start : 0
    const head = await read(from, Math.min(start, file.size) - from + SOUND_BYTES)
    return end < file.size ? [head, await read(Math.max(end, file.size - END_BYTES), END_BYTES)] : [head]
  })
  // Loaded by the first who needs it: a site with a radio service never does.
  const { parseBuffer } = await import('music-metadata')
  try {
    const { common } = await parseBuffer(Buffer.concat(parts), { mimeType: 'audio/mpeg' }, { duration: false })
    return common
  } catch {
    return null
  }
}

/** Text for one line: without what is no character, and bounded. */
function clean(text: string | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...line.slice(0, 2 * TEXT_CHARACTERS)].slice(0, TEXT_CHARACTERS).join('') || null
}
