import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioFrame, AudioParser } from '#server/features/radio/frames/audioParser.ts'
import { createPacer } from '#server/features/radio/relay/pacer.ts'

/** Frees the place of a source that sends nothing, or nothing that is audio. */
const AUDIO_TIMEOUT_MS = 15_000
const MAX_BYTES_WITHOUT_AUDIO = 512 * 1024
/** Makes a source that sends faster than real time wait: listeners play in real time, and the surplus would fill memory. */
const LEAD_SECONDS = 1
/** Limits the data rate of frames that claim to have no duration. */
const MAX_BYTES_PER_SECOND = 512 * 1024
/** Small steps keep pauses short. */
const STEP_BYTES = 2048

/**
 * Reads a source until it ends. Passes on its frames in real time.
 * @param abort ends the connection of the source
 * @throws Error that names the reason, also if the connection breaks
 */
export async function readSource(
  body: AsyncIterable<Buffer>,
  parser: AudioParser,
  onFrames: (frames: AudioFrame[]) => void,
  abort: AbortController,
): Promise<void> {
  const { signal } = abort
  const expectAudio = () => setTimeout(() => abort.abort(new Error('no audio before the timeout')), AUDIO_TIMEOUT_MS)
  const pacer = createPacer(() => performance.now(), LEAD_SECONDS)
  let timer = expectAudio()
  let bytesWithoutAudio = 0
  try {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        signal.throwIfAborted()
        const slice = chunk.subarray(at, at + STEP_BYTES)
        const frames = parser.push(slice)
        bytesWithoutAudio = frames.length > 0 ? 0 : bytesWithoutAudio + slice.length
        if (bytesWithoutAudio > MAX_BYTES_WITHOUT_AUDIO) throw new Error('not audio of the given type')
        if (frames.length > 0) {
          timer.refresh()
          onFrames(frames)
        }
        const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
        const waitMs = pacer.add(Math.max(seconds, slice.length / MAX_BYTES_PER_SECOND))
        if (waitMs <= 0) continue
        clearTimeout(timer)
        await sleep(waitMs, undefined, { signal })
        timer = expectAudio()
      }
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
