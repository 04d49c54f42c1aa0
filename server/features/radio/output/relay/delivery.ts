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
  let splicer = createReconnectSplicer([])
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
      splicer = createReconnectSplicer([])
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
    if (!splicer.isDone()) spliceTimer ??= setTimeout(() => send(splicer.release()), SPLICE_MS)
    send(splicer.push(frame))
  }

  function send(frames: AudioFrame[]): void {
    for (const frame of frames) {
      lastFrames = [...lastFrames, frame.bytes].slice(-MATCH_FRAMES)
      listeners.add(frame)
    }
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
      splicer = createReconnectSplicer(lastFrames)
    },
  }
}

/**
 * After a reconnect, drops frames up to the last played frame. Servers send some seconds again, and listeners would
 * hear them twice.
 */
function createReconnectSplicer(tail: readonly Buffer[]) {
  let pending: AudioFrame[] = []
  let done = tail.length < MATCH_FRAMES

  const isTailMatched = () =>
    pending.length >= MATCH_FRAMES &&
    tail.every((bytes, index) => pending[pending.length - MATCH_FRAMES + index]?.bytes.equals(bytes))

  function release(): AudioFrame[] {
    done = true
    const all = pending
    pending = []
    return all
  }

  return {
    isDone: () => done,
    release,
    push(frame: AudioFrame): AudioFrame[] {
      if (done) return [frame]
      pending.push(frame)
      if (isTailMatched()) release()
      return []
    },
  }
}
