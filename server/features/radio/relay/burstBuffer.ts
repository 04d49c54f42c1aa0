export type Batch = {
  bytes: Buffer
  seconds: number
  startsMidPacket: boolean
}

/** Browsers start without buffering once they have received both amounts. */
const MIN_BURST = { seconds: 7, bytes: 40 * 1024 }
/** Limits memory at high bit rates, and how far new listeners are behind the live stream. */
const MAX_BURST = { seconds: 20, bytes: 1024 * 1024 }

type Amount = { seconds: number; bytes: number }
const isEnough = ({ seconds, bytes }: Amount) => seconds >= MIN_BURST.seconds && bytes >= MIN_BURST.bytes
const isTooMuch = ({ seconds, bytes }: Amount) => seconds > MAX_BURST.seconds || bytes > MAX_BURST.bytes

export function createBurstBuffer() {
  let batches: Batch[] = []
  let total: Amount = { seconds: 0, bytes: 0 }
  let burst: Buffer | null = null

  const subtract = ({ seconds, bytes }: Batch): Amount => ({
    seconds: total.seconds - seconds,
    bytes: total.bytes - bytes.length,
  })

  return {
    bytes: () => total.bytes,
    isFull: () => isEnough(total),
    push(batch: Batch) {
      batches.push(batch)
      total = { seconds: total.seconds + batch.seconds, bytes: total.bytes + batch.bytes.length }
      burst = null
      for (let first = batches[0]; first && batches.length > 1; first = batches[0]) {
        if (!isTooMuch(total) && !isEnough(subtract(first))) break
        total = subtract(first)
        batches.shift()
      }
    },
    burst(): Buffer {
      if (!burst) {
        const start = batches.findIndex(({ startsMidPacket }) => !startsMidPacket)
        burst = Buffer.concat(start < 0 ? [] : batches.slice(start).map(({ bytes }) => bytes))
      }
      return burst
    },
    clear() {
      batches = []
      total = { seconds: 0, bytes: 0 }
      burst = null
    },
  }
}
