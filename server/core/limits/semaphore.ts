type WorkOptions = {
  /** how much of the budget the work takes; a cost above the budget counts as the whole budget */
  cost?: number
  /** owner of the work, such as a network; see `perKey` */
  key?: string
}

type Options = {
  running: number
  waiting: number
  /** limits per key; while a key is at its limit, work with other keys starts first. Unlimited by default */
  perKey?: { running: number; waiting: number }
  /** maximum total cost of running work; unlimited by default */
  budget?: number
  /** ms until waiting work is rejected; never by default */
  waitMs?: number
  onFull: () => Error
}

type Waiter = Required<WorkOptions> & { start: () => void }

const UNBOUNDED = { running: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY }

/**
 * Creates a semaphore. Rejects work at once when the queue is full. Work starts in order, except that keys take turns.
 */
export function createSemaphore(options: Options) {
  const { running, waiting, perKey = UNBOUNDED, budget = Number.POSITIVE_INFINITY, waitMs, onFull } = options
  let queue: Waiter[] = []
  const runningOf = new Map<string, number>()
  let slots = running
  let remaining = budget

  const isKeyBusy = ({ key }: Waiter) => key !== '' && (runningOf.get(key) ?? 0) >= perKey.running

  function count(key: string, more: number): void {
    const now = (runningOf.get(key) ?? 0) + more
    if (now > 0) runningOf.set(key, now)
    else runningOf.delete(key)
  }

  function startNext(): void {
    for (let next = findNext(); next; next = findNext()) {
      remove(next)
      slots--
      remaining -= next.cost
      count(next.key, 1)
      next.start()
    }
  }

  /** Work that does not fit the budget delays all work behind it. */
  function findNext(): Waiter | undefined {
    const next = slots > 0 ? queue.find((waiter) => !isKeyBusy(waiter)) : undefined
    return next && next.cost <= remaining ? next : undefined
  }

  function remove(waiter: Waiter): void {
    queue = queue.filter((other) => other !== waiter)
  }

  function moveToEnd(key: string): void {
    if (key === '') return
    queue = [...queue.filter((waiter) => waiter.key !== key), ...queue.filter((waiter) => waiter.key === key)]
  }

  function acquire(options: Required<WorkOptions>): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { ...options, start: resolve }
      queue.push(waiter)
      startNext()
      if (!queue.includes(waiter)) return
      const ofKey = waiter.key === '' ? 0 : queue.filter(({ key }) => key === waiter.key).length
      if (queue.length > waiting || ofKey > perKey.waiting) {
        remove(waiter)
        return reject(onFull())
      }
      if (waitMs === undefined) return
      const timer = setTimeout(() => {
        remove(waiter)
        reject(onFull())
        // The removed work may have been too large for the remaining budget. The next work may fit.
        startNext()
      }, waitMs)
      waiter.start = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    /** @throws the error from `onFull` */
    async run<T>(work: () => Promise<T>, { cost: asked = 0, key = '' }: WorkOptions = {}): Promise<T> {
      const cost = Math.min(asked, budget)
      await acquire({ cost, key })
      try {
        return await work()
      } finally {
        slots++
        remaining += cost
        count(key, -1)
        moveToEnd(key)
        startNext()
      }
    },
  }
}
