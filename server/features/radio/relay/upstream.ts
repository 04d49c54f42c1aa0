import { type AudioFrame, createAudioParser } from '#server/features/radio/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable, type SourceStream } from '#server/features/radio/types.ts'
import { createIcyDemuxer } from './icyMetadata.ts'
import { createPacer } from './pacer.ts'

/** Guards against a server that accepts and says nothing. */
export const OPEN_MS = 10_000
/** Guards against a stream that has died without a word: nothing that can be heard for so long. */
const STALL_MS = 10_000
/** Guards against endless bytes that are no sound. */
const MAX_BYTES_WITHOUT_SOUND = 512 * 1024
/** Guards listeners, who would fall behind, and memory, against a stream that comes as fast as it can. */
const LEAD_SECONDS = 10
/** Guards the process against sound that claims to take no time: bytes a second that are taken in the long run. */
const MAX_BYTES_PER_SECOND = 512 * 1024
/** Taken in one go: little, so that a wait is never longer than what newcomers have been given to play. */
const STEP_BYTES = 2048

export type UpstreamEvents = {
  /** called with the frames of each piece; `type` is their media type */
  onSound: (frames: AudioFrame[], type: string) => void
  onTitle: (title: string) => void
  /** a media type nobody can relay */
  onUnknownType: (type: string) => void
}

/**
 * Reads a station's stream until it ends; resolves when it has ended by itself or `signal` has ended it.
 * @param openMs time until there must be sound
 * @throws RadioUnavailable when it cannot be opened, stalls, breaks or is no sound; what the source throws on opening
 */
export async function readUpstream(
  source: Pick<RadioSource, 'openStream'>,
  stationId: number,
  { signal, openMs }: { signal: AbortSignal; openMs: number },
  { onSound, onTitle, onUnknownType }: UpstreamEvents,
): Promise<void> {
  const abort = new AbortController()
  const timeout = createTimeoutWatch(abort)
  const onAbort = () => timeout.fail(new RadioUnavailable('nobody listens any more'))
  signal.addEventListener('abort', onAbort, { once: true })
  timeout.expect(openMs)
  let chunks: AsyncIterator<Buffer> | undefined
  try {
    if (signal.aborted) return
    const opening = source.openStream(stationId, abort.signal)
    const stream = await timeout.race(opening, (late) => discard(late))
    chunks = stream.body[Symbol.asyncIterator]()
    const parser = createAudioParser(stream.type)
    if (!parser) {
      onUnknownType(stream.type)
      throw new RadioUnavailable('the stream is of a kind that cannot be relayed')
    }
    const icy = createIcyDemuxer(stream.metadataInterval, onTitle)
    const pace = createPacer(() => performance.now(), LEAD_SECONDS)
    let silentBytes = 0
    for (;;) {
      const next = await timeout.race(chunks.next())
      if (next.done) return
      for (let at = 0; at < next.value.length; at += STEP_BYTES) {
        const step = next.value.subarray(at, at + STEP_BYTES)
        const frames = icy.push(step).flatMap((piece) => parser.push(piece))
        silentBytes = frames.length > 0 ? 0 : silentBytes + step.length
        if (silentBytes > MAX_BYTES_WITHOUT_SOUND) throw new RadioUnavailable('the stream is no sound')
        if (frames.length > 0) {
          onSound(frames, parser.type() ?? '')
          timeout.expect(STALL_MS)
        }
        const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
        const wait = pace.add(Math.max(seconds, step.length / MAX_BYTES_PER_SECOND))
        if (wait > 0) await timeout.pause(wait)
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    timeout.stop()
    signal.removeEventListener('abort', onAbort)
    abort.abort()
    // Not waited for: one that hangs would hang us.
    chunks?.return?.().catch(() => {})
  }
}

/** A stream that was opened too late still has to be let go. */
function discard({ body }: SourceStream): void {
  body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {})
}

/** Ends waiting for something that does not come. */
function createTimeoutWatch(abort: AbortController) {
  let timer: NodeJS.Timeout | undefined
  let expectedMs = 0
  let reject: ((error: Error) => void) | null = null
  let failure: Error | null = null

  function fail(error: Error): void {
    failure ??= error
    clearTimeout(timer)
    reject?.(failure)
    abort.abort()
  }

  function expect(ms: number): void {
    expectedMs = ms
    clearTimeout(timer)
    if (!failure) timer = setTimeout(() => fail(new RadioUnavailable('the stream was silent for too long')), ms)
  }

  // A promise of its own each time: racing with one that lives for days would pile up what waits for it.
  function race<T>(work: Promise<T>, onLate?: (value: T) => void): Promise<T> {
    return new Promise((resolve, rejected) => {
      reject = rejected
      if (failure) rejected(failure)
      work.then((value) => (failure && onLate ? onLate(value) : resolve(value)), rejected)
    })
  }

  return {
    fail,
    expect,
    race,
    /** waits on purpose: nothing is expected meanwhile */
    async pause(ms: number) {
      clearTimeout(timer)
      let pausing: NodeJS.Timeout | undefined
      try {
        await race(
          new Promise<void>((resolve) => {
            pausing = setTimeout(resolve, ms)
          }),
        )
      } finally {
        clearTimeout(pausing)
      }
      expect(expectedMs)
    },
    stop() {
      clearTimeout(timer)
      reject = null
    },
  }
}
