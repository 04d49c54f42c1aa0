import type { FastifyBaseLogger } from 'fastify'

/** Limits the time between two looks at the folder. */
const REFRESH_MS = 5000

type Deps = { log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date }

/** Returns a function that runs `refresh`, once at a time, if the last run is some seconds ago. */
export function followFolder(refresh: () => Promise<void>, { log, now }: Deps): () => Promise<void> {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  return async () => {
    const time = now().getTime()
    if (Math.abs(time - readAt) < REFRESH_MS) return
    reading ??= refresh()
      .catch((error) => log.warn({ reason: error.message }, 'cannot read the site folder'))
      .finally(() => {
        reading = null
        readAt = time
      })
    await reading
  }
}
