import { withTimeout } from '#db/withTimeout.server.ts'
import { createAudioParser, readFrames } from '#server/features/radio/input/frames/audioParser.ts'
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
 * Opens and reads the stream of a station. Throws the reason of `signal` when it aborts.
 * @param openMs limits the time until the first sound
 * @throws RadioUnavailable when the stream stalls or has no audio; errors of the source
 */
export async function* readUpstream(
  source: Pick<RadioSource, 'openStream'>,
  stationId: number,
  { signal, openMs }: { signal: AbortSignal; openMs: number },
): AsyncGenerator<SoundPiece> {
  signal.throwIfAborted()
  const closing = new AbortController()
  const createError = () => new RadioUnavailable('no audio before the timeout')
  const expect = <T>(work: Promise<T>, ms: number) => withTimeout(work, ms, { signal, createError })
  const until = performance.now() + openMs
  let pieces: AsyncIterator<SoundPiece> | undefined
  try {
    const opening = source.openStream(stationId, closing.signal)
    const stream = await expect(opening, openMs).catch((error) => {
      opening.then(closeStream, () => {})
      throw error
    })
    pieces = ('pieces' in stream ? stream.pieces : parse(stream, closing.signal))[Symbol.asyncIterator]()
    for (let ms = Math.max(1, until - performance.now()); ; ms = STALL_MS) {
      const next = await expect(pieces.next(), ms)
      if (next.done) return
      yield next.value
    }
  } finally {
    closing.abort()
    // Do not await: a stalled source would block here.
    pieces?.return?.().catch(() => {})
  }
}

function closeStream(stream: SourceStream): void {
  const body: AsyncIterable<unknown> = 'pieces' in stream ? stream.pieces : stream.body
  void body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {})
}

/** Parses the bytes of a service. @throws RadioUnavailable for an unknown type */
async function* parse(stream: ByteStream, signal: AbortSignal): AsyncGenerator<SoundPiece> {
  const { type, metadataInterval, body } = stream
  const parser = createAudioParser(type)
  if (!parser) {
    closeStream(stream)
    throw new RadioUnavailable(`cannot relay streams of the type ${type.slice(0, 100)}`)
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
