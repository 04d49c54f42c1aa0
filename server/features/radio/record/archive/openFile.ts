import { parseRange } from '#server/core/http/byteRange.ts'
import { openRegularFile } from '#server/features/radio/library/mp3Files.ts'
import { RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'

const READ_BYTES = 128 * 1024

/** Opens a range of an audio file. @throws RadioUnavailable when the file cannot be read */
export async function openFile(
  path: string,
  type: string,
  range: string | undefined,
  signal: AbortSignal,
): Promise<SourceRecording> {
  const { start, ...part } = parseRange(await sizeOf(path), range)
  return { ...part, type, body: readRange(path, start, part.length, signal) }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { handle, stat } = await openRegularFile(path)
    await handle.close()
    return stat.size
  } catch {
    throw new RadioUnavailable('recording is not readable')
  }
}

/** Opens the file when the first byte is read. @throws RadioUnavailable when the file has been truncated */
async function* readRange(path: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (length === 0 || signal.aborted) return
  const { handle } = await openRegularFile(path)
  const options = { start, end: start + length - 1, highWaterMark: READ_BYTES, signal }
  let sent = 0
  try {
    for await (const bytes of handle.createReadStream(options)) {
      sent += bytes.length
      yield bytes
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  if (sent < length) throw new RadioUnavailable('recording was truncated')
}
