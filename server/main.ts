import './nodeVersion.mjs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './start.ts'

/** Exits after this time, because container runtimes kill a process ten seconds after SIGTERM. */
const CLOSE_TIMEOUT_MS = 9_000
/** Limits the wait for requests in progress. */
const REQUESTS_TIMEOUT_MS = 5_000
/**
 * Limits the wait for jobs and the IRC bot. A job that ignores its abort signal is abandoned, and the next process runs
 * it.
 */
const JOBS_TIMEOUT_MS = 1_000

const running: Running = {}
let closing = false

async function close(signal: string): Promise<void> {
  if (closing) return
  closing = true
  const { app, jobs, irc, listenerCounts } = running
  app?.log.info({ signal }, 'closing')
  setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
  // `app.close` closes only connections that are idle at that moment. Close others when they become idle.
  setInterval(() => app?.server.closeIdleConnections(), 50).unref()
  setTimeout(() => app?.server.closeAllConnections(), REQUESTS_TIMEOUT_MS).unref()
  // Close jobs first, so that errors caused by the shutdown do not count as job failures.
  const idle = Promise.all([jobs?.close(), irc?.close()])
  listenerCounts?.close()
  await app?.drain()
  await app?.close()
  await Promise.race([idle, sleep(JOBS_TIMEOUT_MS)])
  await running.database?.close()
  app?.log.info('closed')
  process.exit(0)
}

/** Ignores errors during shutdown. */
const fail = (error: unknown) => closing || end(error)

function end(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => close(signal).catch(end))
// The default handler would print the error message, and messages of failed queries contain what visitors wrote.
process.on('uncaughtException', (error) => {
  const { app } = running
  if (!app) return end(error)
  app.log.fatal({ err: error }, 'the site failed')
  process.exit(1)
})
// Vike adds a handler that goes on, with the first page. Without one, Node would exit.
process.on('unhandledRejection', (error) => {
  const { app } = running
  if (!app) return end(error)
  app.log.error({ err: error }, 'a promise failed')
})
// Import after adding the signal handlers: without them, the first process in a container ignores signals.
import('./start.ts').then(({ start }) => start(running, fail)).catch(fail)
