/**
 * Creates a throttle per key. The first value runs at once. Of the values within the interval after it, the last one runs at
 * the end of the interval.
 */
export function createKeyedThrottle<Key, Value>(intervalMs: number, run: (key: Key, value: Value) => void) {
  const intervals = new Map<Key, { timer: NodeJS.Timeout; waiting: { value: Value } | null }>()

  function start(key: Key, value: Value): void {
    const timer = setTimeout(() => {
      const waiting = intervals.get(key)?.waiting
      intervals.delete(key)
      if (waiting) start(key, waiting.value)
    }, intervalMs)
    intervals.set(key, { timer: timer.unref(), waiting: null })
    run(key, value)
  }

  return {
    add(key: Key, value: Value): void {
      const interval = intervals.get(key)
      if (interval) interval.waiting = { value }
      else start(key, value)
    },
    /** Drops the value that waits. */
    remove(key: Key): void {
      clearTimeout(intervals.get(key)?.timer)
      intervals.delete(key)
    },
    close(): void {
      for (const { timer } of intervals.values()) clearTimeout(timer)
      intervals.clear()
    },
  }
}
