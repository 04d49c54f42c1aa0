import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { createMuxer, type Muxer } from './muxer.ts'

const CHUNK_BYTES = 256 * 1024

/** `muxer` has read the file, so it can continue it. */
export type RepairedFile = { bytes: number; seconds: number; muxer: Muxer }

/**
 * Cuts a recording to whole frames, because a killed process leaves half a frame at the end. Reads all of it, in pieces
 * that let other work run in between.
 * @returns null if there is no such file, or no whole frame in it
 */
export async function repairFile(path: string, type: string): Promise<RepairedFile | null> {
  const parser = createAudioParser(type)
  const handle = parser && (await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(nullIfMissing))
  if (!handle) return null
  try {
    const muxer = createMuxer(type)
    let [bytes, position] = [0, 0]
    for (;;) {
      // The parser's frames share memory with the chunk.
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) break
      position += bytesRead
      for (const frame of parser.push(chunk.subarray(0, bytesRead))) {
        bytes += frame.bytes.length
        muxer.push(frame)
      }
    }
    const seconds = muxer.seconds()
    if (seconds === 0) bytes = 0
    if (bytes < position) {
      await handle.truncate(bytes)
      await handle.sync()
    }
    return bytes === 0 ? null : { bytes, seconds, muxer }
  } finally {
    await handle.close()
  }
}
