import { deserialize, serialize } from 'node:v8'
import type { Fetcher } from '#server/core/http/fetcher.ts'
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
    for await (const message of readMessages(body)) {
      signal.throwIfAborted()
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

/** A message from the host to the other processes. A ping shows that the host is alive. */
export type HostMessage = SoundChange | { kind: 'state'; state: OnAirState } | { kind: 'ping' }

const LENGTH_BYTES = 4
/** Limits memory if the host has another version and sends something else. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** Returns the length of a message and the message, in the format of structured clones, which has dates and bytes. */
export function encodeMessage(message: HostMessage): Buffer {
  const bytes = serialize(message)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** @throws Error for a message that is too long */
async function* readMessages(chunks: AsyncIterable<Buffer>): AsyncGenerator<HostMessage> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readUInt32BE(0)
      if (end > MAX_MESSAGE_BYTES) throw new Error('a message is too long')
      if (rest.length < end) break
      yield deserialize(rest.subarray(LENGTH_BYTES, end)) as HostMessage
      rest = rest.subarray(end)
    }
  }
}
