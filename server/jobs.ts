import { lt } from 'drizzle-orm'
import { job } from '#db/schema/index.ts'
import { sweepAttempts } from './core/attempts.ts'
import { sweepSpentChallenges } from './core/captcha.ts'
import type { Services } from './core/context.ts'
import { sweepEvents } from './core/live.ts'
import { type FileOwner, sweepFiles } from './core/sweep.ts'
import { ownedFiles } from './features/board/job.ts'
import { sharedFiles, sweepImageShares } from './features/image/job.ts'
import { articleFiles, fetchArticleImages, gatherNews, sweepNews } from './features/news/job.ts'
import { sweepPastes } from './features/paste/service.ts'

/** Work done now and then: `every` in seconds. */
export type Job = {
  name: string
  every: number
  /** seconds from the start to the first run, where it is not a minute */
  first?: number
  /** `signal` aborts when the site closes */
  run: (services: Services, signal: AbortSignal) => Promise<void>
}

const HOUR = 3600

/** Everything that stores files. */
export const fileOwners: FileOwner[] = [ownedFiles, sharedFiles, articleFiles]

export const jobs: Job[] = [
  { name: 'events', every: HOUR, run: ({ db, now }) => sweepEvents(db, now()) },
  { name: 'captchas', every: HOUR, run: ({ db, now }) => sweepSpentChallenges(db, now()) },
  { name: 'attempts', every: HOUR, run: ({ db, now }) => sweepAttempts(db, now()) },
  { name: 'sessions', every: 6 * HOUR, run: ({ sessions }) => sessions.sweep() },
  { name: 'files', every: HOUR, run: (services) => sweepFiles(services, fileOwners) },
  { name: 'image-shares', every: 300, run: sweepImageShares },
  { name: 'pastes', every: 300, run: sweepPastes },
  // Often, for each feed has a time of its own; a first page of news should not wait.
  { name: 'news', every: 60, first: 2, run: gatherNews },
  { name: 'news-images', every: 20, first: 8, run: fetchArticleImages },
  { name: 'news-sweep', every: 6 * HOUR, run: sweepNews },
]

/**
 * Runs each job at its time, in one of all processes; a run begins only when the one before has ended here. One that
 * takes longer than its time may meet the next in another process, and claims piece by piece what it works on.
 */
export function startJobs(services: Services): { close: () => Promise<void> } {
  const closing = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const plan = (one: Job, seconds: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = runAlone(services, one, closing.signal)
        .catch((error) => services.log.error({ err: error, job: one.name }, 'job failed'))
        .finally(() => {
          running.delete(run)
          if (!closing.signal.aborted) plan(one, one.every)
        })
      running.add(run)
    }, seconds * 1000)
    timers.add(timer)
  }
  // A minute after the start, when the rush of it is over.
  for (const one of jobs) plan(one, one.first ?? 60)

  return {
    async close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.allSettled(running)
    },
  }
}

/** Moving the time of the last run on, in one statement, makes one process the leader of this run. */
async function runAlone(services: Services, { name, every, run }: Job, signal: AbortSignal): Promise<void> {
  const now = services.now()
  // A little early counts as due: timers of several processes do not agree to the second.
  const due = new Date(now.getTime() - every * 900)
  const claimed = await services.db
    .insert(job)
    .values({ name, startedAt: now })
    .onConflictDoUpdate({ target: job.name, set: { startedAt: now }, setWhere: lt(job.startedAt, due) })
    .returning({ name: job.name })
  if (claimed.length > 0) await run(services, signal)
}
