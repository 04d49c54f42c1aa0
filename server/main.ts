import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './start.ts'

/** Whoever stops the process kills it after ten seconds. */
const CLOSE_WITHIN_MS = 9_000
/** What is still being sent or received then is cut off. */
const CUT_AFTER_MS = 5_000
/** A job that does not heed its signal is left alone after so long; the next process takes it up. */
const JOBS_END_WITHIN_MS = 1_000

const running: Running = {}
let closing = false

/** Ends with 0 what is there so far. */
async function close(signal: string): Promise<void> {
  if (closing) return
  closing = true
  const { app, jobs } = running
  app?.log.info({ signal }, 'closing')
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
  // Closing the server lets go those that are idle then; live ones that end now would be kept alive.
  setInterval(() => app?.server.closeIdleConnections(), 50).unref()
  setTimeout(() => app?.server.closeAllConnections(), CUT_AFTER_MS).unref()
  // First, so that what they ask of others ends as well and counts as nobody's failure.
  const idle = jobs?.close()
  await app?.leave()
  await app?.close()
  await Promise.race([idle, sleep(JOBS_END_WITHIN_MS)])
  await running.database?.close()
  app?.log.info('closed')
  process.exit(0)
}

/** What fails because the site is closing is no failure. */
const fail = (error: unknown) => closing || end(error)

function end(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => close(signal).catch(end))
// By default its message would be printed, and that of a query ends with what somebody wrote.
process.on('uncaughtException', (error) => {
  const { app } = running
  if (!app) return end(error)
  app.log.fatal({ err: error }, 'the site failed')
  process.exit(1)
})
// Loaded only now: in a container a signal that nobody listens to yet would be lost.
import('./start.ts').then(({ start }) => start(running, fail)).catch(fail)
