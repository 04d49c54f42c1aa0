/** Runs a bounded amount of costly work at once; the rest waits, first come first served. */
export type Gate = {
  /** @param cost share of the budget that the work takes while it runs; more than the whole budget counts as all of it */
  run<T>(work: () => Promise<T>, cost?: number): Promise<T>
}

type Options = {
  /** how many pieces of work run at the same time */
  running: number
  /** how many wait beyond that */
  waiting: number
  /** sum of the costs of what runs; unbounded by default */
  budget?: number
  /** ms after which waiting work is refused and its place is freed; never by default */
  waitMs?: number
  /** makes the error for work that is refused */
  onFull: () => Error
}

/**
 * Creates a gate. It refuses work at once when the queue is full, so that a flood of costly requests can neither take
 * all cores and memory nor keep visitors waiting without end.
 */
export function createGate({ running, waiting, budget = Number.POSITIVE_INFINITY, waitMs, onFull }: Options): Gate {
  const queue: { cost: number; start: () => void }[] = []
  let slots = running
  let left = budget

  function startNext(): void {
    for (let next = queue[0]; next && slots > 0 && next.cost <= left; next = queue[0]) {
      queue.shift()
      slots--
      left -= next.cost
      next.start()
    }
  }

  function enter(cost: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = { cost, start: resolve }
      queue.push(place)
      startNext()
      const index = queue.indexOf(place)
      if (index < 0) return
      if (queue.length > waiting) {
        queue.splice(index, 1)
        return reject(onFull())
      }
      if (waitMs === undefined) return
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(place), 1)
        reject(onFull())
        // The work that left may have been too large to start, and smaller work may wait behind it.
        startNext()
      }, waitMs)
      place.start = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    async run(work, asked = 0) {
      const cost = Math.min(asked, budget)
      await enter(cost)
      try {
        return await work()
      } finally {
        slots++
        left += cost
        startNext()
      }
    },
  }
}
