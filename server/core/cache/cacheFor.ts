type Options = {
  /** in ms */
  now?: () => number
  /** a value of another version is not kept */
  version?: () => number
}

/** Returns a function that reads a value at most once in `ms`, for all its callers. Forgets a read that failed. */
export function cacheFor<T>(
  ms: number,
  read: () => Promise<T>,
  { now = () => performance.now(), version = () => 0 }: Options = {},
): () => Promise<T> {
  let known: { at: number; version: number; value: Promise<T> } | undefined
  return () => {
    const [at, current] = [now(), version()]
    // A clock that was set back must not keep a value.
    if (known?.version === current && Math.abs(at - known.at) < ms) return known.value
    const entry = { at, version: current, value: read() }
    known = entry
    entry.value.catch(() => {
      if (known === entry) known = undefined
    })
    return entry.value
  }
}
