/** Some whole frames in one piece of memory, which all listeners share. */
export type Batch = {
  bytes: Buffer
  seconds: number
  /** begins inside of a packet: nobody can start here */
  continues: boolean
}

/**
 * The last seconds of sound, for those who come: enough for a browser to start at once.
 * @param seconds kept at least, where there is as much
 * @param maxBytes kept at most
 */
export function createRing(seconds: number, maxBytes: number) {
  let batches: Batch[] = []
  let kept = { seconds: 0, bytes: 0 }
  let burst: Buffer | null = null

  function drop(): void {
    const first = batches.shift()
    if (!first) return
    kept.seconds -= first.seconds
    kept.bytes -= first.bytes.length
  }

  return {
    bytes: () => kept.bytes,
    seconds: () => kept.seconds,
    push(batch: Batch) {
      batches.push(batch)
      kept.seconds += batch.seconds
      kept.bytes += batch.bytes.length
      burst = null
      while (batches.length > 1 && (kept.bytes > maxBytes || kept.seconds - (batches[0]?.seconds ?? 0) >= seconds))
        drop()
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
