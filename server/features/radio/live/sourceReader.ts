import type { AudioFrame, AudioParser } from '#server/features/radio/frames/audioParser.ts'
import { readFrames } from '#server/features/radio/frames/readFrames.ts'

/** Frees the place of a source that sends nothing, or nothing that is audio. */
const AUDIO_TIMEOUT_MS = 15_000
/** A source that sends faster than real time has to wait. */
const LEAD_SECONDS = 1

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
  const timer = setTimeout(() => abort.abort(new Error('no audio before the timeout')), AUDIO_TIMEOUT_MS)
  try {
    for await (const frames of readFrames(body, parser, LEAD_SECONDS, signal)) {
      timer.refresh()
      onFrames(frames)
    }
    signal.throwIfAborted()
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
