import { type AudioFrame, createAudioParser, readFrames } from '#server/features/radio/input/frames/audioParser.ts'
import { createIcyDemuxer } from '#server/features/radio/output/relay/icy.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'

type ByteStream = {
  type: string
  /** bytes of audio between two ICY metadata blocks; null without metadata */
  metadataInterval: number | null
  body: AsyncIterable<Buffer>
}

/** A service can send faster than real time. */
const LEAD_SECONDS = 10

/**
 * Parses the stream of a service to frames. The first frame of a title has it.
 * @param signal ends the stream
 * @throws RadioUnavailable for an unknown type, or if there is no audio
 */
export async function* parseStream(
  { type, metadataInterval, body }: ByteStream,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame[]> {
  const parser = createAudioParser(type)
  if (!parser) throw new RadioUnavailable(`cannot relay streams of the type ${type.slice(0, 100)}`)
  let title: string | undefined
  const icy = createIcyDemuxer(metadataInterval, (next) => {
    title = next
  })
  const push = (bytes: Buffer) => icy.push(bytes).flatMap((piece) => parser.push(piece))
  for await (const frames of readFrames(body, { push }, LEAD_SECONDS, signal)) {
    yield frames.map((frame, index) => (index === 0 && title !== undefined ? { ...frame, title } : frame))
    title = undefined
  }
}
