import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { recordingFile } from './files.ts'
import { createMuxer, type Muxer } from './muxer.ts'
import { repairFile } from './repair.ts'

export type RecordingPart = { broadcastId: number; part: number; type: string }

export type RecordingWriter = {
  readonly file: string
  readonly type: string
  readonly part: number
  bytes(): number
  seconds(): number
  /** @returns null if the frame needs another decoder; `rest` then returns its header pages */
  encode: Muxer['push']
  rest: Muxer['rest']
  skip: Muxer['skip']
  /** Appends encoded bytes. After an error, cuts the file to what was written before. */
  append(encoded: Buffer[]): Promise<void>
  /** Makes what was appended survive a power cut. */
  sync(): Promise<void>
  close(): Promise<void>
  /** Writes the end of the stream and closes the file. */
  finish(): Promise<void>
}

/**
 * Opens the file of a part, and continues it if there is one.
 * @throws Error if the disk fails
 */
export async function openRecording(dir: string, at: RecordingPart): Promise<RecordingWriter> {
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

  async function append(encoded: Buffer[]): Promise<void> {
    const chunk = encoded.length === 1 && encoded[0] ? encoded[0] : Buffer.concat(encoded)
    try {
      await writeAll(handle, chunk, bytes)
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
    file,
    type,
    part,
    bytes: () => bytes,
    seconds: muxer.seconds,
    encode: muxer.push,
    rest: muxer.rest,
    skip: muxer.skip,
    append,
    sync: () => handle.datasync(),
    close,
    async finish() {
      if (isClosed) return
      try {
        const end = muxer.end()
        if (end.length > 0) await append(end)
        await handle.sync()
      } finally {
        await close()
      }
    },
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position + written)
    written += bytesWritten
  }
}
