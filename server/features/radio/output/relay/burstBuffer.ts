export type Batch = {
  bytes: Buffer
  seconds: number
  startsMidPacket: boolean
  title: string | null
}
/** Batches with the same title, as one. */
type BurstPart = Pick<Batch, 'bytes' | 'title'>

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
  let burst: BurstPart[] | null = null

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
    burst(): BurstPart[] {
      const start = batches.findIndex(({ startsMidPacket }) => !startsMidPacket)
      burst ??= start < 0 ? [] : joinByTitle(batches.slice(start))
      return burst
    },
    clear() {
      batches = []
      total = { seconds: 0, bytes: 0 }
      burst = null
    },
  }
}

function joinByTitle(batches: Batch[]): BurstPart[] {
  const parts: { pieces: Buffer[]; title: string | null }[] = []
  for (const { bytes, title } of batches) {
    const last = parts.at(-1)
    if (last && last.title === title) last.pieces.push(bytes)
    else parts.push({ pieces: [bytes], title })
  }
  return parts.map(({ pieces, title }) => ({ bytes: Buffer.concat(pieces), title }))
}
