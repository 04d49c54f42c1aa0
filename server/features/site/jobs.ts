import { sql } from 'drizzle-orm'
import type { JobRun } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { JobView } from '#src/contract/operations.ts'
import { refusal } from '#src/contract/refusal.ts'

type Row = {
  name: string
  started: number
  ended: number | null
  failures: number
  leased: boolean
  runs: JobRun[]
}

export async function listJobs({ db, manualRuns }: Pick<Services, 'db' | 'manualRuns'>): Promise<JobView[]> {
  const rows = await db.execute<Row>(sql`
    select name, failures, runs, extract(epoch from started_at)::float8 as started,
      extract(epoch from ended_at)::float8 as ended,
      coalesce(leased_until > clock_timestamp(), false) as leased
    from job`)
  const rowOf = new Map(rows.map((row) => [row.name, row]))
  return manualRuns.jobs.map(({ name, intervalSeconds }) => {
    const row = rowOf.get(name)
    const hasEnded = row !== undefined && row.ended !== null && row.ended >= row.started
    return {
      name,
      intervalSeconds,
      isRunning: row?.leased ?? false,
      startedAt: row ? new Date(row.started * 1000) : null,
      seconds: hasEnded ? Number(row.ended) - row.started : null,
      failures: row?.failures ?? 0,
      runs: (row?.runs ?? []).map(({ startedAt, ...run }) => ({ ...run, startedAt: new Date(startedAt) })),
    }
  })
}

/** Starts a job without waiting for its end. @throws AppError 404, 409 if a process runs it already */
export async function runJob(services: Services, name: string): Promise<void> {
  if (!(await services.manualRuns.start(services, name))) throw errors.conflict(refusal('admin.jobRunningRefusal'))
}
