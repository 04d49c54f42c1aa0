import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { RelayListener } from '#server/features/radio/types.ts'
import { createBurstBuffer } from './burstBuffer.ts'

/** Each batch costs a system call per listener. */
const BATCH_BYTES = 8192
const BATCH_SECONDS = 0.5
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
    isBurstFull: burstBuffer.isFull,

    add(frame: AudioFrame) {
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
      members.set(listener, onDrop)
      const [first, ...later] = burstBuffer.burst()
      const start = first?.bytes ?? Buffer.alloc(0)
      const bytes = header.length > 0 ? Buffer.concat([header, start]) : start
      if (bytes.length > 0) listener.write(bytes, first ? first.title : title)
      for (const part of later) listener.write(part.bytes, part.title)
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
