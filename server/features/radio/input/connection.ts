import type { createMixer } from '#server/features/radio/mix/mixer.ts'
import type { LiveSource } from '#server/features/radio/mix/types.ts'
import { type AudioFrame, type AudioParser, readFrames } from './frames/audioParser.ts'
import type { OggPage } from './frames/ogg.ts'
import { createLevelMeter } from './levelMeter.ts'
import { createLevelHistory, type Level } from './silence.ts'
import { readEmbeddedTitle, readOggTitle } from './titles.ts'

const OGG = 'audio/ogg'
/** Frees the place of a source that sends nothing, or nothing that is audio. */
const AUDIO_TIMEOUT_MS = 15_000
/** A source that sends faster than real time has to wait. */
const LEAD_SECONDS = 1
/** The bit rate is measured over this much sound. */
const RATE_SECONDS = 5

export type Connection = {
  source: LiveSource
  kilobitsPerSecond: () => number
  level: () => Level | null
}

type Deps = {
  mixer: Pick<ReturnType<typeof createMixer>, 'add' | 'push' | 'remove' | 'setTitle' | 'setSilent'>
  onFault: (error: unknown) => void
}
/** A source that has not sent audio yet. */
export type NewSource = Omit<LiveSource, 'type' | 'format' | 'header' | 'isForced' | 'isSilent'>

/**
 * Reads a source in real time until it ends. The source is connected from its first audio on.
 * @param details can change until then
 * @param abort ends the connection of the source
 * @throws Error that names the reason, also if the connection breaks
 */
export async function runConnection(
  { mixer, onFault }: Deps,
  body: AsyncIterable<Buffer>,
  parser: AudioParser,
  details: NewSource,
  abort: AbortController,
  onAudio: (connection: Connection) => void,
): Promise<void> {
  let source: LiveSource | null = null
  let header: AudioFrame[] = []
  /** the bytes up to the first frame, which can contain tags; null after it */
  let start: Buffer[] | null = []
  const rate = createRateMeter()
  const history = createLevelHistory((isSilent) => source && mixer.setSilent(source, isSilent))
  const meter = createLevelMeter(history.push, onFault)

  function handleFrames(frames: AudioFrame[]): void {
    const begin = frames.findLastIndex(({ isHeader, page }) => isHeader && page?.beginsStream)
    if (begin >= 0) readHeader(frames.slice(begin).filter(({ isHeader }) => isHeader)).catch(onFault)
    meter.push(frames)
    const sound = frames.filter(({ isHeader }) => !isHeader)
    const [first] = sound
    const isNew = source === null
    if (first) source ??= connect(first.format)
    if (!source) return
    if (first) source.format = first.format
    source.header = header
    rate.add(frames)
    // A source on air has already passed on the header that came before its first audio.
    mixer.push(source, isNew ? sound : frames)
  }

  function connect(format: string): LiveSource {
    const type = parser.type() ?? ''
    const connected = { ...details, type, format, header, isForced: false, isSilent: false }
    source = connected
    onAudio({ source, kilobitsPerSecond: rate.kilobitsPerSecond, level: history.lastSecond })
    mixer.add(source)
    if (type !== OGG) readLeadingTags(source, Buffer.concat(start ?? [])).catch(onFault)
    start = null
    return connected
  }

  /** ffmpeg sends tags in its sound, and no other titles. */
  async function readLeadingTags(source: LiveSource, bytes: Buffer): Promise<void> {
    const title = await readEmbeddedTitle(bytes, source.type)
    if (title && !source.title) mixer.setTitle(source, title)
  }

  /** Keeps the header pages of an Ogg stream, which the parser returns together. */
  async function readHeader(pages: AudioFrame[]): Promise<void> {
    header = pages
    const title = await readOggTitle(pages as OggPage[])
    if (title && source && header === pages) mixer.setTitle(source, title)
  }

  const keepStart: AudioParser['push'] = (bytes) => {
    start?.push(bytes)
    return parser.push(bytes)
  }

  const { signal } = abort
  const timer = setTimeout(() => abort.abort(new Error('no audio before the timeout')), AUDIO_TIMEOUT_MS)
  try {
    for await (const frames of readFrames(body, { push: keepStart }, LEAD_SECONDS, signal)) {
      timer.refresh()
      handleFrames(frames)
    }
    signal.throwIfAborted()
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    abort.abort()
    meter.close()
    if (source) mixer.remove(source, true)
  }
}

function createRateMeter() {
  const none = { bytes: 0, seconds: 0 }
  let [last, current] = [none, none]
  return {
    add(frames: AudioFrame[]): void {
      let { bytes, seconds } = current
      for (const frame of frames) {
        bytes += frame.bytes.length
        seconds += frame.seconds
      }
      const isFull = seconds >= RATE_SECONDS
      if (isFull) last = { bytes, seconds }
      current = isFull ? none : { bytes, seconds }
    },
    kilobitsPerSecond(): number {
      const { bytes, seconds } = last.seconds > 0 ? last : current
      return seconds > 0 ? Math.round((bytes * 8) / seconds / 1000) : 0
    },
  }
}
