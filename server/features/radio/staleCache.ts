/** An answer and when it came, in ms since 1970. */
export type Remembered<T> = { value: T; at: number }

type Entry<T> = { answer: Promise<Remembered<T>>; askedAt: number; settledAt: number | null; failed: boolean }

export type Memory<K, T> = {
  /** the remembered answer, or the one that is on its way, or else a new one */
  get: (key: K, ask: () => Promise<T>) => Promise<Remembered<T>>
}

/**
 * Remembers answers for a short time and asks once for everybody who wants the same at the same time; a failure is an
 * answer too.
 * @param keys guards memory: how many answers are kept at once; what is still on its way is never let go
 * @param from what the times are counted from: of one that came late, the question leaves less
 */
export function createMemory<K, T>(options: {
  answerMs: number
  failureMs: number
  keys: number
  from: 'question' | 'answer'
  now: () => Date
}): Memory<K, T> {
  const { answerMs, failureMs, keys, from, now } = options
  const entries = new Map<K, Entry<T>>()

  const isFresh = ({ askedAt, settledAt, failed }: Entry<T>) => {
    if (settledAt === null) return true
    const age = now().getTime() - (from === 'question' ? askedAt : settledAt)
    // A clock that was set back makes nothing last longer.
    return age >= 0 && age < (failed ? failureMs : answerMs)
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entries.size < keys) return
      if (entry.settledAt !== null) entries.delete(key)
    }
  }

  function start(ask: () => Promise<T>): Entry<T> {
    const answer = Promise.resolve().then(ask).then(settle)
    const entry: Entry<T> = { answer, askedAt: now().getTime(), settledAt: null, failed: false }
    entry.answer.catch(() => {
      entry.settledAt = now().getTime()
      entry.failed = true
    })
    return entry

    function settle(value: T): Remembered<T> {
      entry.settledAt = now().getTime()
      return { value, at: entry.settledAt }
    }
  }

  return {
    get(key, ask) {
      const known = entries.get(key)
      if (known && isFresh(known)) return known.answer
      entries.delete(key)
      makeRoom()
      const entry = start(ask)
      entries.set(key, entry)
      return entry.answer
    },
  }
}
