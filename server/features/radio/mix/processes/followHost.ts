import superjson from 'superjson'
import type { Fetcher } from '#server/core/http/fetcher.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import type { SoundChange } from '#server/features/radio/mix/sound.ts'
import type { OnAirState } from '#server/features/radio/mix/types.ts'
import { CONNECT_MS } from './forwardSource.ts'
import type { Host } from './host.ts'

export const SOUND_PATH = '/internal/live/sound'

/** A host sends a ping every 500 ms. Without one for this long, the music plays, so that no listener waits. */
const SILENCE_MS = 2000

type Deps = { live: Pick<LiveSources, 'sound' | 'setRemoteState'>; fetcher: Pick<Fetcher, 'open'> }

/**
 * Plays the sound of the process that has the sources, as if the sources were connected to this process.
 * @param onOpen called when the host sends its messages
 * @throws Error when the connection ends
 */
export async function followHost(
  { live: { sound, setRemoteState }, fetcher }: Deps,
  { url }: Host,
  authorization: string,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<never> {
  const { status, body } = await fetcher.open(new URL(SOUND_PATH, url), {
    headers: { authorization },
    signal,
    // Listeners hear the music meanwhile.
    headMs: CONNECT_MS,
    silenceMs: SILENCE_MS,
    maxRedirects: 0,
    trusts: () => true,
  })
  try {
    if (status !== 200) throw new Error(`HTTP status ${status}`)
    onOpen()
    for await (const line of splitLines(body)) {
      signal.throwIfAborted()
      const message = decodeMessage(line)
      if (message.kind === 'state') setRemoteState(message.state)
      else if (message.kind !== 'ping') sound.apply(message)
    }
    throw new Error('the connection ended')
  } finally {
    body.destroy()
    // After the signal, this process has the sources itself.
    if (!signal.aborted) sound.stop()
    setRemoteState(null)
  }
}

/** A message from the host to the other processes, one per line. A ping shows that the host is alive. */
export type HostMessage = SoundChange | { kind: 'state'; state: OnAirState } | { kind: 'ping' }

/** Only the recorder needs the fields of a page. */
type SentFrame = Omit<AudioFrame, 'bytes' | 'page'> & { bytes: string }

export function encodeMessage(message: HostMessage): string {
  const sent = message.kind === 'frames' ? { ...message, frames: message.frames.map(encodeFrame) } : message
  return `${superjson.stringify(sent)}\n`
}

const encodeFrame = ({ page: _page, bytes, ...frame }: AudioFrame): SentFrame => ({
  ...frame,
  bytes: bytes.toString('base64'),
})

function decodeMessage(line: string): HostMessage {
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
