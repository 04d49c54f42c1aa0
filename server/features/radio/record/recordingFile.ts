import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import type { Written } from '#server/features/radio/broadcastRows.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { createMuxer, type Muxer } from './muxer.ts'
import { recordingFile } from './store.ts'

export type RecordingFile = Awaited<ReturnType<typeof openRecording>>

/**
 * Opens the file of a part, and continues it if there is one.
 * @throws Error if the disk fails
 */
export async function openRecording(dir: string, at: { broadcastId: number; part: number; type: string }) {
  const { broadcastId, part, type } = at
  const file = recordingFile(broadcastId, part, type)
  const path = join(dir, file)
  await mkdir(dir, { recursive: true })
  const repaired = await repairFile(path, type)
  // Without O_TRUNC, a directory or a link in the way fails instead of losing what it names.
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  const muxer = repaired?.muxer ?? createMuxer(type)
  muxer.skip()
  let bytes = repaired?.bytes ?? 0
  let isClosed = false

  /** Appends encoded bytes. After an error, cuts the file to what was written before. */
  async function append(encoded: Buffer[]): Promise<void> {
    const chunk = Buffer.concat(encoded)
    try {
      for (let done = 0; done < chunk.length; ) {
        done += (await handle.write(chunk, done, chunk.length - done, bytes + done)).bytesWritten
      }
    } catch (error) {
      await handle.truncate(bytes).catch(() => {})
      throw error
    }
    bytes += chunk.length
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await handle.close()
  }

  return {
    path,
    type,
    part,
    muxer,
    written: (): Written => ({ file, type, bytes, seconds: muxer.seconds() }),
    append,
    /** Makes what was appended survive a power cut. */
    sync: () => handle.datasync(),
    close,
    /** Writes the end of the stream and closes the file. */
    async finish() {
      if (isClosed) return
      try {
        await append(muxer.end())
        await handle.sync()
      } finally {
        await close()
      }
    },
  }
}

const CHUNK_BYTES = 256 * 1024

/**
 * Cuts a recording to whole frames, because a killed process leaves half a frame at the end. Reads all of it, in pieces
 * that let other work run in between.
 * @returns null if there is no such file, or no whole frame in it; `muxer` has read the file, so it can continue it
 */
export async function repairFile(
  path: string,
  type: string,
): Promise<{ bytes: number; seconds: number; muxer: Muxer } | null> {
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
