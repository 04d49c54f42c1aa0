/** Some whole frames in one piece of memory, which all listeners share. */
export type Batch = {
  bytes: Buffer
  seconds: number
  /** begins inside of a packet: nobody can start here */
  continues: boolean
}

/** Browsers start with so much without a wait: they want some seconds, and of low bit rates some bytes. */
const ENOUGH = { seconds: 7, bytes: 40 * 1024 }
/** Guards memory where a second of sound is large, and listeners from hearing what was long ago. */
const MOST = { seconds: 20, bytes: 1024 * 1024 }

type Amount = { seconds: number; bytes: number }
const isEnough = ({ seconds, bytes }: Amount) => seconds >= ENOUGH.seconds && bytes >= ENOUGH.bytes
const isTooMuch = ({ seconds, bytes }: Amount) => seconds > MOST.seconds || bytes > MOST.bytes

/** The last seconds of sound, for those who come. */
export function createRing() {
  let batches: Batch[] = []
  let kept: Amount = { seconds: 0, bytes: 0 }
  let burst: Buffer | null = null

  const without = ({ seconds, bytes }: Batch): Amount => ({
    seconds: kept.seconds - seconds,
    bytes: kept.bytes - bytes.length,
  })

  return {
    bytes: () => kept.bytes,
    /** as much as a newcomer can use */
    isFull: () => isEnough(kept),
    push(batch: Batch) {
      batches.push(batch)
      kept = { seconds: kept.seconds + batch.seconds, bytes: kept.bytes + batch.bytes.length }
      burst = null
      for (let first = batches[0]; first && batches.length > 1; first = batches[0]) {
        if (!isTooMuch(kept) && !isEnough(without(first))) break
        kept = without(first)
        batches.shift()
      }
    },
    /** all that is kept, from where one can start; made once for any number of listeners */
    burst(): Buffer {
      if (!burst) {
        const start = batches.findIndex(({ continues }) => !continues)
        burst = Buffer.concat(start < 0 ? [] : batches.slice(start).map(({ bytes }) => bytes))
      }
      return burst
    },
    clear() {
      batches = []
      kept = { seconds: 0, bytes: 0 }
      burst = null
    },
  }
}
