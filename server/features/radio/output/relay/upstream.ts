import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { readFrames } from '#server/features/radio/input/frames/readFrames.ts'
import {
  type ByteStream,
  type RadioSource,
  RadioUnavailable,
  type SoundPiece,
  type SourceStream,
} from '#server/features/radio/types.ts'
import { createIcyDemuxer } from './icy.ts'

/** Limits the wait for a server that accepts the connection but sends nothing. */
export const OPEN_MS = 10_000
const STALL_MS = 10_000
const LEAD_SECONDS = 10

/**
 * @throws RadioUnavailable when the stream stalls, breaks or has no audio; errors from the source when it opens the
 * stream
 */
export async function readUpstream(
  source: Pick<RadioSource, 'openStream'>,
  stationId: number,
  { signal, openMs }: { signal: AbortSignal; openMs: number },
  onPiece: (piece: SoundPiece) => void,
  onUnknownType: (type: string) => void,
): Promise<void> {
  const abort = new AbortController()
  const timeout = createTimeoutWatch(abort)
  const onAbort = () => timeout.fail(new RadioUnavailable('no listeners left'))
  signal.addEventListener('abort', onAbort, { once: true })
  timeout.expect(openMs)
  let pieces: AsyncIterator<SoundPiece> | undefined
  try {
    if (signal.aborted) return
    const opened = (stream: SourceStream) =>
      ('pieces' in stream ? stream.pieces : parse(stream, abort.signal, onUnknownType))[Symbol.asyncIterator]()
    const stream = await timeout.race(source.openStream(stationId, abort.signal), (late) => {
      const body: AsyncIterable<unknown> = 'pieces' in late ? late.pieces : late.body
      void body[Symbol.asyncIterator]()
        .return?.()
        .catch(() => {})
    })
    pieces = opened(stream)
    for (;;) {
      const next = await timeout.race(pieces.next())
      if (next.done) return
      onPiece(next.value)
      timeout.expect(STALL_MS)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    timeout.stop()
    signal.removeEventListener('abort', onAbort)
    abort.abort()
    // Do not await: a stalled source would block here.
    pieces?.return?.().catch(() => {})
  }
}

/** Parses the bytes of a service. @throws RadioUnavailable for an unknown type */
async function* parse(
  { type, metadataInterval, body }: ByteStream,
  signal: AbortSignal,
  onUnknownType: (type: string) => void,
): AsyncGenerator<SoundPiece> {
  const parser = createAudioParser(type)
  if (!parser) {
    void body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => {})
    onUnknownType(type)
    throw new RadioUnavailable('unsupported stream type')
  }
  let title: string | undefined
  const icy = createIcyDemuxer(metadataInterval, (next) => {
    title = next
  })
  const push = (bytes: Buffer) => icy.push(bytes).flatMap((piece) => parser.push(piece))
  for await (const frames of readFrames(body, { push }, LEAD_SECONDS, signal)) {
    const titled = frames.map((frame, index) => (index === 0 && title !== undefined ? { ...frame, title } : frame))
    title = undefined
    yield { type: parser.type() ?? '', frames: titled }
  }
}

function createTimeoutWatch(abort: AbortController) {
  let timer: NodeJS.Timeout | undefined
  let reject: ((error: Error) => void) | null = null
  let failure: Error | null = null

  function fail(error: Error): void {
    failure ??= error
    clearTimeout(timer)
    reject?.(failure)
    abort.abort()
  }

  function expect(ms: number): void {
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
    stop() {
      clearTimeout(timer)
      reject = null
    },
  }
}
