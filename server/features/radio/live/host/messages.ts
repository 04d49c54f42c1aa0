import superjson from 'superjson'
import type { AudioFrame } from '#server/features/radio/frames/audioParser.ts'
import type { OnAirState } from '#server/features/radio/live/createLive.ts'
import type { SoundChange } from '#server/features/radio/live/sound.ts'

/** A message from the host to the other processes, one per line. A ping shows that the host is alive. */
export type HostMessage = SoundChange | { kind: 'state'; state: OnAirState } | { kind: 'ping' }

type SentFrame = Omit<AudioFrame, 'bytes'> & { bytes: string }

export function encodeMessage(message: HostMessage): string {
  const sent =
    message.kind === 'frames'
      ? { ...message, frames: message.frames.map((frame) => ({ ...frame, bytes: frame.bytes.toString('base64') })) }
      : message
  return `${superjson.stringify(sent)}\n`
}

export function decodeMessage(line: string): HostMessage {
  const message = superjson.parse<HostMessage>(line)
  if (message.kind !== 'frames') return message
  const frames = message.frames as unknown as SentFrame[]
  return { ...message, frames: frames.map((frame) => ({ ...frame, bytes: Buffer.from(frame.bytes, 'base64') })) }
}

/** Splits a text into lines. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
