import type { Services } from '#server/core/context.ts'
import { jobs } from '#server/jobs.ts'

/** Sends what waits in the outbox, as the job does. */
export async function sendOutbox(services: Services, signal = new AbortController().signal): Promise<void> {
  const job = jobs.find(({ name }) => name === 'outbox')
  if (!job) throw new Error('There is no job `outbox`')
  await job.run(services, signal)
}
