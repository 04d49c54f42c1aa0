import { type AudioFrame, mediaTypeOf } from '#server/features/radio/input/frames/audioParser.ts'
import type { RelayListener } from '#server/features/radio/types.ts'

/** Each batch costs a system call per listener, most of the work of a listener. Players have seconds of sound in reserve. */
const BATCH_BYTES = 16 * 1024
const BATCH_SECONDS = 1
/** Limits memory per listener: a larger backlog, not counting the initial burst, disconnects the listener. */
const MAX_BACKLOG_BYTES = 256 * 1024
/** Limits the search for the last played frame after a reconnect. */
const SPLICE_MS = 500
/** Number of frames in a row that must match: fewer frames could be equal by chance. */
const MATCH_FRAMES = 3

type Deps = {
  /** called before listeners get the title's first frame */
  onTitle: (title: string) => void
  /** The listeners were disconnected, because decoders stop at a format change. Players reconnect by themselves. */
  onFormat: (from: string | null, to: string) => void
  /** A listener was disconnected, because it reads too slowly. */
  onDrop: () => void
}

/** Sends the sound of a station to its listeners. Joins connections to the source where the last one ended. */
export function createDelivery({ onTitle, onFormat, onDrop }: Deps) {
  const listeners = new Set<RelayListener>()
  let format: string | null = null
  let type = ''
  /** the stream's headers: decoders need them before the first frame */
  let header: Buffer = Buffer.alloc(0)
  let nextHeader: Buffer[] = []
  let title: string | null = null
  let burst: Batch[] = []
  let batch: AudioFrame[] = []
  let lastFrames: Buffer[] = []
  /**
   * Frames since a reconnect, until the last played frames are among them; null afterwards. Servers send some seconds again,
   * and listeners would hear them twice.
   */
  let repeated: AudioFrame[] | null = null
  let spliceTimer: NodeJS.Timeout | undefined

  function push(frames: AudioFrame[]): void {
    for (const frame of frames) {
      if (frame.title !== undefined) setTitle(frame.title)
      if (frame.format !== format) changeFormat(frame.format)
      if (frame.isHeader) nextHeader.push(frame.bytes)
      else splice(frame)
    }
  }

  function setTitle(next: string): void {
    if (next === title) return
    flush()
    title = next
    onTitle(next)
  }

  function changeFormat(next: string): void {
    const previous = format
    if (previous !== null) endAll()
    lastFrames = []
    repeated = null
    nextHeader = []
    type = mediaTypeOf(next)
    format = next
    onFormat(previous, next)
  }

  function splice(frame: AudioFrame): void {
    if (nextHeader.length > 0) setHeader(Buffer.concat(nextHeader))
    nextHeader = []
    if (!repeated) return void add(frame)
    spliceTimer ??= setTimeout(release, SPLICE_MS)
    repeated.push(frame)
    const tail = repeated.slice(-MATCH_FRAMES)
    if (lastFrames.every((bytes, index) => tail[index]?.bytes.equals(bytes))) repeated = null
  }

  /** The last played frames did not come again. */
  function release(): void {
    const frames = repeated ?? []
    repeated = null
    for (const frame of frames) add(frame)
  }

  /** Starts a new stream. Ignores a repeated header. */
  function setHeader(next: Buffer): void {
    if (next.equals(header)) return
    flush()
    header = next
    burst = []
    send(next)
  }

  function add(frame: AudioFrame): void {
    lastFrames = [...lastFrames, frame.bytes].slice(-MATCH_FRAMES)
    // Playback starts with a batch, and cannot start within a packet.
    if (batch[0]?.startsMidPacket && !frame.startsMidPacket) flush()
    batch.push(frame)
    const { bytes, seconds } = amountOf(batch)
    if (bytes >= BATCH_BYTES || seconds >= BATCH_SECONDS) flush()
  }

  function flush(): void {
    const [first] = batch
    if (!first) return
    const bytes = Buffer.concat(batch.map((frame) => frame.bytes))
    const startsMidPacket = first.startsMidPacket ?? false
    burst = keepBurst([...burst, { bytes, seconds: amountOf(batch).seconds, startsMidPacket, title }])
    batch = []
    send(bytes)
  }

  function send(bytes: Buffer): void {
    const limit = MAX_BACKLOG_BYTES + header.length + amountOf(burst).bytes
    for (const listener of listeners) {
      if (listener.bufferedBytes() <= limit) {
        listener.write(bytes, title)
      } else {
        listeners.delete(listener)
        listener.drop()
        onDrop()
      }
    }
  }

  function endAll(): void {
    flush()
    for (const listener of listeners) listener.end()
    listeners.clear()
    burst = []
    header = Buffer.alloc(0)
  }

  function stopSplicing(): void {
    clearTimeout(spliceTimer)
    spliceTimer = undefined
  }

  return {
    push,
    size: () => listeners.size,
    hasSound: () => burst.length + batch.length > 0,
    /** false before the first frame */
    hasBegun: () => format !== null,
    /** Prepares for the next connection to the source. */
    reconnect(): void {
      stopSplicing()
      nextHeader = []
      flush()
      repeated = lastFrames.length < MATCH_FRAMES ? null : []
    },
    /** Adds a listener. @returns the media type of the stream */
    join(listener: RelayListener): string {
      listener.begin(type)
      if (burst.length === 0) flush()
      listeners.add(listener)
      if (header.length > 0) listener.write(header, title)
      const start = burst.findIndex(({ startsMidPacket }) => !startsMidPacket)
      for (const part of start < 0 ? [] : burst.slice(start)) listener.write(part.bytes, part.title)
      return type
    },
    leave: (listener: RelayListener): boolean => listeners.delete(listener),
    end(): void {
      stopSplicing()
      endAll()
    },
  }
}

type Batch = {
  bytes: Buffer
  seconds: number
  startsMidPacket: boolean
  title: string | null
}

/** Browsers start without buffering once they have received both amounts. */
const MIN_BURST = { seconds: 7, bytes: 40 * 1024 }
/** Limits memory at high bit rates, and how far new listeners are behind the live stream. */
const MAX_BURST = { seconds: 20, bytes: 1024 * 1024 }

const amountOf = (parts: Pick<Batch, 'bytes' | 'seconds'>[]) => ({
  seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
})

/** Returns the last batches, as many as a new listener needs. */
function keepBurst(batches: Batch[]): Batch[] {
  const [, ...rest] = batches
  const [all, less] = [amountOf(batches), amountOf(rest)]
  const isTooMuch = all.seconds > MAX_BURST.seconds || all.bytes > MAX_BURST.bytes
  const isEnough = less.seconds >= MIN_BURST.seconds && less.bytes >= MIN_BURST.bytes
  return rest.length > 0 && (isTooMuch || isEnough) ? keepBurst(rest) : batches
}
