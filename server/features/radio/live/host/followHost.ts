import type { Fetcher } from '#server/core/http/fetcher.ts'
import type { LiveSources } from '#server/features/radio/live/createLive.ts'
import { CONNECT_MS } from './forwardSource.ts'
import type { Host } from './hostRow.ts'
import { decodeMessage, splitLines } from './messages.ts'

export const SOUND_PATH = '/internal/live/sound'

/** A host sends a ping every 500 ms. Without one for this long, the music plays, so that no listener waits. */
const SILENCE_MS = 2000

type Deps = { live: Pick<LiveSources, 'sound' | 'setRemoteState'>; fetcher: Pick<Fetcher, 'open'> }

/**
 * Plays the sound of the process that has the sources, as if the sources were connected to this process.
 * @throws Error when the connection ends
 */
export async function followHost(
  { live: { sound, setRemoteState }, fetcher }: Deps,
  { url }: Host,
  authorization: string,
  signal: AbortSignal,
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
