import { type AudioFrame, createAudioParser } from '#server/features/radio/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable } from '#server/features/radio/types.ts'
import { createIcyDemuxer } from './icyMetadata.ts'
import { createPacer } from './pacer.ts'

/** Limits the wait for a server that accepts the connection but sends nothing. */
export const OPEN_MS = 10_000
const STALL_MS = 10_000
const MAX_BYTES_WITHOUT_AUDIO = 512 * 1024
/** Limits how far a stream runs ahead: listeners play in real time, so the surplus would fill memory. */
const LEAD_SECONDS = 10
/** Limits the data rate of frames that claim to have no duration. */
const MAX_BYTES_PER_SECOND = 512 * 1024
/** Small steps keep pauses short, so that listeners do not run out of buffered audio during a pause. */
const STEP_BYTES = 2048

export type UpstreamEvents = {
  onFrames: (frames: AudioFrame[], type: string) => void
  onTitle: (title: string) => void
  onUnknownType: (type: string) => void
}

/**
 * @throws RadioUnavailable when the stream stalls, breaks or has no audio; errors from the source when it opens the
 * stream
 */
export async function readUpstream(
  source: Pick<RadioSource, 'openStream'>,
  stationId: number,
  { signal, openMs }: { signal: AbortSignal; openMs: number },
  { onFrames, onTitle, onUnknownType }: UpstreamEvents,
): Promise<void> {
  const abort = new AbortController()
  const timeout = createTimeoutWatch(abort)
  const onAbort = () => timeout.fail(new RadioUnavailable('no listeners left'))
  signal.addEventListener('abort', onAbort, { once: true })
  timeout.expect(openMs)
  let chunks: AsyncIterator<Buffer> | undefined
  try {
    if (signal.aborted) return
    const opening = source.openStream(stationId, abort.signal)
    const stream = await timeout.race(opening, ({ body }) => {
      body[Symbol.asyncIterator]()
        .return?.()
        .catch(() => {})
    })
    chunks = stream.body[Symbol.asyncIterator]()
    const createParser = (type: string) => {
      const parser = createAudioParser(type)
      if (parser) return parser
      onUnknownType(type)
      throw new RadioUnavailable('unsupported stream type')
    }
    let { type } = stream
    let parser = createParser(type)
    const icy = createIcyDemuxer(stream.metadataInterval, onTitle)
    const pace = createPacer(() => performance.now(), LEAD_SECONDS)
    let bytesWithoutAudio = 0
    for (;;) {
      const next = await timeout.race(chunks.next())
      if (next.done) return
      if (stream.type !== type) {
        type = stream.type
        parser = createParser(type)
      }
      for (let at = 0; at < next.value.length; at += STEP_BYTES) {
        const slice = next.value.subarray(at, at + STEP_BYTES)
        const frames = icy.push(slice).flatMap((piece) => parser.push(piece))
        bytesWithoutAudio = frames.length > 0 ? 0 : bytesWithoutAudio + slice.length
        if (bytesWithoutAudio > MAX_BYTES_WITHOUT_AUDIO) throw new RadioUnavailable('stream is not audio')
        if (frames.length > 0) {
          onFrames(frames, parser.type() ?? '')
          timeout.expect(STALL_MS)
        }
        const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
        const wait = pace.add(Math.max(seconds, slice.length / MAX_BYTES_PER_SECOND))
        if (wait > 0) await timeout.pause(wait)
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    timeout.stop()
    signal.removeEventListener('abort', onAbort)
    abort.abort()
    // Do not await: a stalled source would block here.
    chunks?.return?.().catch(() => {})
  }
}

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
    if (!failure) timer = setTimeout(() => fail(new RadioUnavailable('no audio before the timeout')), ms)
  }

  // Creates a new promise for each wait: racing against one long-lived promise would leak memory.
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
    /** Stops the timeout for audio during the pause and restarts it afterwards. */
    async pause(ms: number) {
      clearTimeout(timer)
      await race(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms)
        }),
      )
      expect(expectedMs)
    },
    stop() {
      clearTimeout(timer)
      reject = null
    },
  }
}
