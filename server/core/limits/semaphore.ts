/** Runs a bounded amount of costly work at once; the rest waits, first come first served. */
export type Semaphore = {
  /** @throws Error of `onFull` */
  run<T>(work: () => Promise<T>, share?: Share): Promise<T>
}

type Share = {
  /** share of the budget that the work takes while it runs; more than the whole budget counts as all of it */
  cost?: number
  /** the owner of the work, such as a network, that `perKey` bounds */
  key?: string
}

type Options = {
  /** how many pieces of work run at the same time */
  running: number
  /** how many wait beyond that */
  waiting: number
  /** limits for work with the same key; work with other keys overtakes it. Unbounded by default */
  perKey?: { running: number; waiting: number }
  /** sum of the costs of what runs; unbounded by default */
  budget?: number
  /** ms after which waiting work is refused and its place is freed; never by default */
  waitMs?: number
  /** makes the error for work that is refused */
  onFull: () => Error
}

type Place = Required<Share> & { start: () => void }

const UNBOUNDED = { running: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY }

/**
 * Creates a semaphore. It refuses work at once when the queue is full, so that a flood of costly requests can neither take
 * all cores and memory nor keep visitors waiting without end.
 */
export function createSemaphore(options: Options): Semaphore {
  const { running, waiting, perKey = UNBOUNDED, budget = Number.POSITIVE_INFINITY, waitMs, onFull } = options
  const queue: Place[] = []
  const runningOf = new Map<string, number>()
  let slots = running
  let left = budget

  const isKeyBusy = ({ key }: Place) => key !== '' && (runningOf.get(key) ?? 0) >= perKey.running

  function count(key: string, more: number): void {
    const now = (runningOf.get(key) ?? 0) + more
    if (now > 0) runningOf.set(key, now)
    else runningOf.delete(key)
  }

  function startNext(): void {
    while (slots > 0) {
      const index = queue.findIndex((place) => !isKeyBusy(place))
      const next = queue[index]
      if (!next || next.cost > left) return
      queue.splice(index, 1)
      slots--
      left -= next.cost
      count(next.key, 1)
      next.start()
    }
  }

  function enter(share: Required<Share>): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = { ...share, start: resolve }
      queue.push(place)
      startNext()
      if (!queue.includes(place)) return
      const ofKey = place.key === '' ? 0 : queue.filter(({ key }) => key === place.key).length
      if (queue.length > waiting || ofKey > perKey.waiting) {
        queue.splice(queue.indexOf(place), 1)
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
    async run(work, { cost: asked = 0, key = '' } = {}) {
      const cost = Math.min(asked, budget)
      await enter({ cost, key })
      try {
        return await work()
      } finally {
        slots++
        left += cost
        count(key, -1)
        startNext()
      }
    },
  }
}
