import type { createMixer } from '#server/features/radio/mix/mixer.ts'
import type { LiveSource } from '#server/features/radio/mix/types.ts'
import { type AudioFrame, type AudioParser, mediaTypeOf, NoSound, readFrames } from './frames/audioParser.ts'
import type { OggPage } from './frames/ogg.ts'
import { createLevelMeter } from './levelMeter.ts'
import { createLevelHistory } from './silence.ts'
import { readEmbeddedTitle, readOggTitle } from './titles.ts'

const ID3 = 'ID3'
/** Frees the place of a source that sends nothing, or nothing that is audio. */
const AUDIO_TIMEOUT_MS = 15_000
/** A source that sends faster than real time has to wait. */
const LEAD_SECONDS = 1

type Deps = {
  mixer: Pick<ReturnType<typeof createMixer>, 'begin' | 'push' | 'setTitle' | 'setSilent'>
  onFault: (error: unknown) => void
}

/**
 * Reads a source in real time until it ends. The mixer gets it with its first audio.
 * @param abort ends the connection of the source
 * @throws Error that names the reason, also if the connection breaks
 */
export async function runConnection(
  { mixer, onFault }: Deps,
  source: LiveSource,
  body: AsyncIterable<Buffer>,
  parser: AudioParser,
  abort: AbortController,
): Promise<void> {
  /** the bytes up to the first frame, which can contain tags; null after it */
  let start: Buffer[] | null = []
  let [receivedBytes, receivedSeconds] = [0, 0]
  const history = createLevelHistory((isSilent) => mixer.setSilent(source, isSilent))
  const meter = createLevelMeter(history.push, onFault)
  source.kilobitsPerSecond = () => (receivedSeconds > 0 ? Math.round((receivedBytes * 8) / receivedSeconds / 1000) : 0)
  source.level = history.lastSecond

  async function handleFrames(frames: AudioFrame[]): Promise<void> {
    const begin = frames.findLastIndex(({ isHeader, page }) => isHeader && page?.beginsStream)
    if (begin >= 0) await readHeader(frames.slice(begin).filter(({ isHeader }) => isHeader))
    meter.push(frames)
    const sound = frames.filter(({ isHeader }) => !isHeader)
    const isNew = source.type === ''
    source.format = sound[0]?.format ?? source.format
    if (isNew && sound.length === 0) return
    if (isNew) await connect()
    for (const frame of frames) {
      receivedBytes += frame.bytes.length
      receivedSeconds += frame.seconds
    }
    // A source on air has already passed on the header that came before its first audio.
    mixer.push(source, isNew ? sound : frames)
  }

  /** Reads the title first, so that no other one is shown with the first sound. */
  async function connect(): Promise<void> {
    const bytes = Buffer.concat(start ?? [])
    start = null
    const type = mediaTypeOf(source.format)
    // ffmpeg sends tags in its sound, and no other titles.
    const isTagged = bytes.toString('latin1', 0, ID3.length) === ID3
    const title = isTagged ? await readEmbeddedTitle(bytes, type).catch(onFault) : null
    if (title && !source.title) mixer.setTitle(source, title)
    source.type = type
    mixer.begin(source)
  }

  /** Keeps the header pages of an Ogg stream, which the parser returns together. */
  async function readHeader(pages: AudioFrame[]): Promise<void> {
    source.header = pages
    // The first title can have come in a request.
    const isNext = source.type !== ''
    const title = await readOggTitle(pages as OggPage[]).catch(onFault)
    if (title || isNext) mixer.setTitle(source, title ?? null)
  }

  const keepStart: AudioParser['push'] = (bytes) => {
    start?.push(bytes)
    return parser.push(bytes)
  }

  const { signal } = abort
  const timer = setTimeout(() => abort.abort(new NoSound()), AUDIO_TIMEOUT_MS)
  try {
    for await (const frames of readFrames(body, { push: keepStart }, LEAD_SECONDS, signal)) {
      timer.refresh()
      await handleFrames(frames)
    }
    signal.throwIfAborted()
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    abort.abort()
    meter.close()
  }
}
