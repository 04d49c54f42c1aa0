type WorkOptions = {
  /** part of the budget that the work takes, at most all of it */
  cost?: number
  /** owner of the work for `perKey`, such as a network */
  key?: string
}

type Options = {
  running: number
  waiting: number
  /** limits for work with the same key; work with other keys can start before it. Unlimited by default */
  perKey?: { running: number; waiting: number }
  /** maximum sum of the costs of running work; unlimited by default */
  budget?: number
  /** ms after which waiting work is rejected; never by default */
  waitMs?: number
  onFull: () => Error
}

type Waiter = Required<WorkOptions> & { start: () => void }

const UNBOUNDED = { running: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY }

/** Creates a semaphore that rejects work at once when the queue is full. */
export function createSemaphore(options: Options) {
  const { running, waiting, perKey = UNBOUNDED, budget = Number.POSITIVE_INFINITY, waitMs, onFull } = options
  const queue: Waiter[] = []
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
    while (slots > 0) {
      const index = queue.findIndex((waiter) => !isKeyBusy(waiter))
      const next = queue[index]
      if (!next || next.cost > remaining) return
      queue.splice(index, 1)
      slots--
      remaining -= next.cost
      count(next.key, 1)
      next.start()
    }
  }

  function acquire(options: Required<WorkOptions>): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { ...options, start: resolve }
      queue.push(waiter)
      startNext()
      if (!queue.includes(waiter)) return
      const ofKey = waiter.key === '' ? 0 : queue.filter(({ key }) => key === waiter.key).length
      if (queue.length > waiting || ofKey > perKey.waiting) {
        queue.splice(queue.indexOf(waiter), 1)
        return reject(onFull())
      }
      if (waitMs === undefined) return
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        reject(onFull())
        // Smaller work behind this in the queue may fit now.
        startNext()
      }, waitMs)
      waiter.start = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    /** @throws Error of `onFull` */
    async run<T>(work: () => Promise<T>, { cost: asked = 0, key = '' }: WorkOptions = {}): Promise<T> {
      const cost = Math.min(asked, budget)
      await acquire({ cost, key })
      try {
        return await work()
      } finally {
        slots++
        remaining += cost
        count(key, -1)
        startNext()
      }
    },
  }
}
