type Options = { signal?: AbortSignal; createError?: () => Error }

/** Settles like `promise`, or rejects after `ms` or when `signal` aborts. The work behind the promise continues. */
export function withTimeout<T>(promise: Promise<T>, ms: number, { signal, createError }: Options = {}): Promise<T> {
  let stop = () => {}
  const timeout = new Promise<never>((_, reject) => {
    const abort = () => reject(signal?.reason)
    const timer = setTimeout(() => reject(createError?.() ?? new Error(`Timed out after ${ms} ms`)), ms)
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
  return Promise.race([promise, timeout]).finally(stop)
}
