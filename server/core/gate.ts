/** Lets a bounded number of costly pieces of work run at once; the others wait in line, first come first served. */
export type Gate = { run<T>(work: () => Promise<T>): Promise<T> }

/**
 * Makes a gate: what would come on top of a full line is refused at once, so that a flood of costly requests can
 * neither take all cores and memory nor keep visitors waiting without end.
 * @param running how much runs at the same time
 * @param waiting how much waits beyond that
 * @param onFull makes the error thrown when the line is full
 */
export function createGate({
  running,
  waiting,
  onFull,
}: {
  running: number
  waiting: number
  onFull: () => Error
}): Gate {
  let free = running
  const line: (() => void)[] = []

  return {
    async run(work) {
      if (free > 0) free--
      else if (line.length >= waiting) throw onFull()
      else await new Promise<void>((enter) => line.push(enter))
      try {
        return await work()
      } finally {
        // The place passes straight to the next in line: were it freed first, a newcomer could take it in between.
        const next = line.shift()
        if (next) next()
        else free++
      }
    },
  }
}
