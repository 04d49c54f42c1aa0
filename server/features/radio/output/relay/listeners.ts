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
  let burst: Batch[] = []
  let header: Buffer = Buffer.alloc(0)
  let batch: AudioFrame[] = []
  let batchBytes = 0
  let batchSeconds = 0
  let title: string | null = null

  function flush(): void {
    const [first] = batch
    if (!first) return
    const bytes = Buffer.concat(batch.map((frame) => frame.bytes))
    const startsMidPacket = first.startsMidPacket ?? false
    burst = keepBurst([...burst, { bytes, seconds: batchSeconds, startsMidPacket, title }])
    batch = []
    batchBytes = 0
    batchSeconds = 0
    send(bytes)
  }

  function send(bytes: Buffer): void {
    const limit = MAX_BACKLOG_BYTES + header.length + amountOf(burst).bytes
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
    hasSound: () => burst.length + batch.length > 0,

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
      burst = []
      send(next)
    },

    join(listener: RelayListener, onDrop: () => void) {
      if (burst.length === 0) flush()
      members.set(listener, onDrop)
      if (header.length > 0) listener.write(header, title)
      const start = burst.findIndex(({ startsMidPacket }) => !startsMidPacket)
      for (const part of start < 0 ? [] : burst.slice(start)) listener.write(part.bytes, part.title)
    },

    leave: (listener: RelayListener) => members.delete(listener),

    endAll() {
      flush()
      for (const listener of members.keys()) listener.end()
      members.clear()
      burst = []
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
const amountOf = (batches: Batch[]): Amount => ({
  seconds: batches.reduce((sum, { seconds }) => sum + seconds, 0),
  bytes: batches.reduce((sum, { bytes }) => sum + bytes.length, 0),
})

/** Returns the last batches, as many as a new listener needs. */
function keepBurst(batches: Batch[]): Batch[] {
  const [, ...rest] = batches
  const isLong = rest.length > 0 && (isTooMuch(amountOf(batches)) || isEnough(amountOf(rest)))
  return isLong ? keepBurst(rest) : batches
}
