import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { RelayListener } from '#server/features/radio/types.ts'

/** Each batch costs a system call per listener, most of the work of a listener. Players have seconds of sound in reserve. */
const BATCH_BYTES = 16 * 1024
const BATCH_SECONDS = 1
/** Limits memory per listener: a larger backlog, not counting the initial burst, disconnects the listener. */
const MAX_BACKLOG_BYTES = 256 * 1024

export function createListenerGroup() {
  /** Maps each listener to a callback that runs when a large backlog disconnects the listener. */
  const members = new Map<RelayListener, () => void>()
  const burstBuffer = createBurstBuffer()
  let header: Buffer = Buffer.alloc(0)
  let batch: AudioFrame[] = []
  let batchBytes = 0
  let batchSeconds = 0
  let title: string | null = null

  function flush(): void {
    const [first] = batch
    if (!first) return
    const bytes = Buffer.concat(batch.map((frame) => frame.bytes))
    burstBuffer.push({ bytes, seconds: batchSeconds, startsMidPacket: first.startsMidPacket ?? false, title })
    batch = []
    batchBytes = 0
    batchSeconds = 0
    send(bytes)
  }

  function send(bytes: Buffer): void {
    const limit = MAX_BACKLOG_BYTES + header.length + burstBuffer.bytes()
    for (const [listener, onDrop] of members) {
      if (listener.bufferedBytes() <= limit) {
        listener.write(bytes, title)
      } else {
        members.delete(listener)
        listener.drop()
        onDrop()
      }
    }
  }

  return {
    flush,
    size: () => members.size,
    hasSound: () => burstBuffer.bytes() > 0 || batch.length > 0,

    add(frame: AudioFrame) {
      // Playback starts with a batch, and cannot start within a packet.
      if (batch[0]?.startsMidPacket && !frame.startsMidPacket) flush()
      batch.push(frame)
      batchBytes += frame.bytes.length
      batchSeconds += frame.seconds
      if (batchBytes >= BATCH_BYTES || batchSeconds >= BATCH_SECONDS) flush()
    },

    /** Sets what is heard from the next frame on. */
    setTitle(next: string) {
      flush()
      title = next
    },

    /** Starts a new stream with the header pages that its decoder needs. Ignores a repeated header. */
    setHeader(next: Buffer) {
      if (next.equals(header)) return
      flush()
      header = next
      burstBuffer.clear()
      send(next)
    },

    join(listener: RelayListener, onDrop: () => void) {
      if (burstBuffer.bytes() === 0) flush()
      members.set(listener, onDrop)
      if (header.length > 0) listener.write(header, title)
      for (const part of burstBuffer.burst()) listener.write(part.bytes, part.title)
    },

    leave: (listener: RelayListener) => members.delete(listener),

    endAll() {
      flush()
      for (const listener of members.keys()) listener.end()
      members.clear()
      burstBuffer.clear()
      header = Buffer.alloc(0)
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

type Amount = { seconds: number; bytes: number }
const isEnough = ({ seconds, bytes }: Amount) => seconds >= MIN_BURST.seconds && bytes >= MIN_BURST.bytes
const isTooMuch = ({ seconds, bytes }: Amount) => seconds > MAX_BURST.seconds || bytes > MAX_BURST.bytes

function createBurstBuffer() {
  let batches: Batch[] = []
  let total: Amount = { seconds: 0, bytes: 0 }

  const subtract = ({ seconds, bytes }: Batch): Amount => ({
    seconds: total.seconds - seconds,
    bytes: total.bytes - bytes.length,
  })

  return {
    bytes: () => total.bytes,
    push(batch: Batch) {
      batches.push(batch)
      total = { seconds: total.seconds + batch.seconds, bytes: total.bytes + batch.bytes.length }
      for (let first = batches[0]; first && batches.length > 1; first = batches[0]) {
        if (!isTooMuch(total) && !isEnough(subtract(first))) break
        total = subtract(first)
        batches.shift()
      }
    },
    /** Returns the batches from the first one in which playback can start. */
    burst(): Batch[] {
      const start = batches.findIndex(({ startsMidPacket }) => !startsMidPacket)
      return start < 0 ? [] : batches.slice(start)
    },
    clear() {
      batches = []
      total = { seconds: 0, bytes: 0 }
    },
  }
}
