import type { Services } from '#server/core/context.ts'
import { type JobTimes, startJobs } from '#server/core/jobs/jobRunner.ts'

/** In seconds. After a crash, another process takes over within a minute. */
const TIMES: JobTimes = { lease: 45, maxRun: null, grace: 5, poll: 10 }
const RETRY_SECONDS = 10

/** Runs the bot in the process that gets the lease. */
export function startIrc(services: Services, times: JobTimes = TIMES): { close: () => Promise<void> } {
  const { irc } = services
  return startJobs(
    services,
    irc.isConfigured ? [{ name: 'irc', intervalSeconds: RETRY_SECONDS, delaySeconds: 0, run: irc.run }] : [],
    times,
  )
}
