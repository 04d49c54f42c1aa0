import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { SoundPiece } from '#server/features/radio/types.ts'
import { createListenerGroup } from './listeners.ts'

/** Limits the search for the last played frame after a reconnect. */
const SPLICE_MS = 500
/** Number of frames in a row that must match: fewer frames could be equal by chance. */
const MATCH_FRAMES = 3

type Deps = {
  /** called before listeners get the title's first frame */
  onTitle: (title: string) => void
  /** The listeners were disconnected, because decoders stop at a format change. Players reconnect by themselves. */
  onFormat: (from: string | null, to: string) => void
}

/** Sends the sound of a station to its listeners. Joins connections to the source where the last one ended. */
export function createDelivery({ onTitle, onFormat }: Deps) {
  const listeners = createListenerGroup()
  let lastFrames: Buffer[] = []
  /**
   * Frames since a reconnect, until the last played frames are among them; null afterwards. Servers send some seconds again,
   * and listeners would hear them twice.
   */
  let repeated: AudioFrame[] | null = null
  let spliceTimer: NodeJS.Timeout | undefined
  let format: string | null = null
  let type = ''
  let header: Buffer[] = []
  let title: string | null = null

  function push(piece: SoundPiece): void {
    for (const frame of piece.frames) {
      if (frame.title !== undefined) setTitle(frame.title)
      if (frame.format !== format) changeFormat(frame.format, piece.type)
      if (frame.isHeader) header.push(frame.bytes)
      else splice(frame)
    }
  }

  function setTitle(next: string): void {
    if (next === title) return
    title = next
    listeners.setTitle(next)
    onTitle(next)
  }

  function changeFormat(next: string, nextType: string): void {
    const previous = format
    if (previous !== null) {
      listeners.endAll()
      lastFrames = []
      repeated = null
    }
    header = []
    type = nextType
    format = next
    onFormat(previous, next)
  }

  function splice(frame: AudioFrame): void {
    if (header.length > 0) {
      listeners.setHeader(Buffer.concat(header))
      header = []
    }
    if (!repeated) return void send(frame)
    spliceTimer ??= setTimeout(release, SPLICE_MS)
    repeated.push(frame)
    const tail = repeated.slice(-MATCH_FRAMES)
    if (lastFrames.every((bytes, index) => tail[index]?.bytes.equals(bytes))) repeated = null
  }

  /** The last played frames did not come again. */
  function release(): void {
    const frames = repeated ?? []
    repeated = null
    for (const frame of frames) send(frame)
  }

  function send(frame: AudioFrame): void {
    lastFrames = [...lastFrames, frame.bytes].slice(-MATCH_FRAMES)
    listeners.add(frame)
  }

  function stop(): void {
    clearTimeout(spliceTimer)
    spliceTimer = undefined
  }

  return {
    listeners,
    type: () => type,
    format: () => format,
    push,
    stop,
    /** Prepares for the next connection to the source. */
    reconnect(): void {
      stop()
      header = []
      listeners.flush()
      repeated = lastFrames.length < MATCH_FRAMES ? null : []
    },
  }
}
