import type { createMixer } from '#server/features/radio/mix/mixer.ts'
import type { LiveSource } from '#server/features/radio/mix/types.ts'
import { type AudioFrame, type AudioParser, readFrames } from './frames/audioParser.ts'
import type { OggPage } from './frames/ogg.ts'
import { createLevelMeter } from './levelMeter.ts'
import { createLevelHistory, type Level } from './silence.ts'
import { readEmbeddedTitle, readOggTitle } from './titles.ts'

/** The bit rate is measured over this much sound. */
const RATE_SECONDS = 5

const OGG = 'audio/ogg'

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
 * Reads a source until it ends. The source is connected from its first audio on.
 * @param details can change until then
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
  let [lastRate, rate] = [
    { bytes: 0, seconds: 0 },
    { bytes: 0, seconds: 0 },
  ]
  const history = createLevelHistory((isSilent) => source && mixer.setSilent(source, isSilent))
  const meter = createLevelMeter(history.push, onFault)

  function handleFrames(frames: AudioFrame[]): void {
    const begin = frames.findLastIndex(({ isHeader, page }) => isHeader && page?.beginsStream)
    if (begin >= 0) readHeader(frames.slice(begin).filter(({ isHeader }) => isHeader)).catch(onFault)
    meter.push(frames)
    const isNew = source === null
    const sound = frames.filter(({ isHeader }) => !isHeader)
    const [first] = sound
    if (!source && first) connect(first.format)
    if (!source) return
    if (first) source.format = first.format
    source.header = header
    countRate(frames)
    // A source on air has already passed on the header that came before its first audio.
    mixer.push(source, isNew ? sound : frames)
  }

  function connect(format: string): void {
    const type = parser.type() ?? ''
    source = { ...details, type, format, header, isForced: false, isSilent: false }
    onAudio({
      source,
      kilobitsPerSecond: () => {
        const { bytes, seconds } = lastRate.seconds > 0 ? lastRate : rate
        return seconds > 0 ? Math.round((bytes * 8) / seconds / 1000) : 0
      },
      level: history.lastSecond,
    })
    mixer.add(source)
    if (type !== OGG) readLeadingTags(source).catch(onFault)
    start = null
  }

  /** ffmpeg sends tags in its sound, and no other titles. */
  async function readLeadingTags(source: LiveSource): Promise<void> {
    const title = await readEmbeddedTitle(Buffer.concat(start ?? []), source.type)
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

  function countRate(frames: AudioFrame[]): void {
    for (const { bytes, seconds } of frames) {
      rate.bytes += bytes.length
      rate.seconds += seconds
    }
    if (rate.seconds < RATE_SECONDS) return
    lastRate = rate
    rate = { bytes: 0, seconds: 0 }
  }

  try {
    await readSource(body, { push: keepStart }, handleFrames, abort)
  } finally {
    meter.close()
    if (source) mixer.remove(source, true)
  }
}

/** Frees the place of a source that sends nothing, or nothing that is audio. */
const AUDIO_TIMEOUT_MS = 15_000
/** A source that sends faster than real time has to wait. */
const LEAD_SECONDS = 1

/**
 * Reads a source until it ends. Passes on its frames in real time.
 * @param abort ends the connection of the source
 * @throws Error that names the reason, also if the connection breaks
 */
async function readSource(
  body: AsyncIterable<Buffer>,
  parser: Pick<AudioParser, 'push'>,
  onFrames: (frames: AudioFrame[]) => void,
  abort: AbortController,
): Promise<void> {
  const { signal } = abort
  const timer = setTimeout(() => abort.abort(new Error('no audio before the timeout')), AUDIO_TIMEOUT_MS)
  try {
    for await (const frames of readFrames(body, parser, LEAD_SECONDS, signal)) {
      timer.refresh()
      onFrames(frames)
    }
    signal.throwIfAborted()
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
