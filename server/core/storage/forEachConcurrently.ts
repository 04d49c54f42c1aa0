/** Calls `work` for all items, at most `limit` at once. @throws the first error, after the running work has ended */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const errors: unknown[] = []
  try {
    for await (const item of items) {
      if (errors.length > 0) break
      const one: Promise<void> = work(item)
        .then(
          () => {},
          (error) => void errors.push(error),
        )
        .finally(() => running.delete(one))
      running.add(one)
      if (running.size >= limit) await Promise.race(running)
    }
  } catch (error) {
    errors.push(error)
  }
  await Promise.all(running)
  if (errors.length > 0) throw errors[0]
}
