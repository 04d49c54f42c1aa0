import { eq, sql } from 'drizzle-orm'
import { type JobRun, job, storedBytes } from '#db/schema/index.ts'
import packageJson from '#package.json' with { type: 'json' }
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { inLanguage } from '#server/core/http/language.ts'
import { countRecentPosts } from '#server/features/board/boards/boardOverview.ts'
import { ACTIVITY_SLOT_MS } from '#src/contract/board.ts'
import type { Backups, JobView, Overview, Storage, StoredKind } from '#src/contract/operations.ts'
import { refusal } from '#src/contract/refusal.ts'
import { t } from '#src/i18n/t.ts'

const HOUR_MS = 60 * 60 * 1000
const HOURS = 24

export async function readOverview(services: Services): Promise<Overview> {
  const { config, now } = services
  const [posts, stored, freeDiskBytes] = await Promise.all([
    countPostsPerHour(services),
    readStoredKinds(services),
    readFreeDiskBytes(services),
  ])
  return {
    posts,
    stored,
    freeDiskBytes,
    version: packageJson.version,
    database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
    startedAt: new Date(now().getTime() - process.uptime() * 1000),
  }
}

async function countPostsPerHour(services: Pick<Services, 'db' | 'now'>): Promise<Overview['posts']> {
  const { slot, rows } = await countRecentPosts(services)
  const hourOf = (number: number) => Math.floor((number * ACTIVITY_SLOT_MS) / HOUR_MS)
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = hourOf(slot) - HOURS + 1 + index
    const counts = rows.filter((row) => hourOf(row.slot) === hour).map(({ count }) => count)
    return { hour: new Date(hour * HOUR_MS), count: counts.reduce((sum, count) => sum + count, 0) }
  })
}

/** Compares the stored bytes with the quotas. */
async function readStoredKinds({ db, config }: Pick<Services, 'db' | 'config'>): Promise<StoredKind[]> {
  const rows = await db.select().from(storedBytes)
  const bytesOf = (kind: string) => rows.find((row) => row.kind === kind)?.bytes ?? 0
  return (['image', 'paste'] as const).map((kind) => ({
    kind,
    bytes: bytesOf(kind),
    quota: config.limits.storage[kind].total,
  }))
}

/** Returns null if the system does not report the free space. */
async function readFreeDiskBytes({ diskSpace }: Pick<Services, 'diskSpace'>): Promise<number | null> {
  const free = await diskSpace()
  return Number.isFinite(free) ? free : null
}

/** Reads the size of every file, which takes seconds for a store of many thousands of files. */
export async function readStorage(services: Services): Promise<Storage> {
  const [stored, freeDiskBytes, backups, [database]] = await Promise.all([
    readStoredKinds(services),
    readFreeDiskBytes(services),
    readBackups(services),
    services.db.execute<{ bytes: number }>(sql`select pg_database_size(current_database())::float8 as bytes`),
  ])
  const files = { count: 0, bytes: 0 }
  for await (const { size } of services.files.list()) {
    files.count++
    files.bytes += size
  }
  return { stored, files, freeDiskBytes, databaseBytes: database?.bytes ?? 0, backups }
}

type Row = {
  name: string
  started: number
  ended: number | null
  failures: number
  leased: boolean
  runs: JobRun[]
}

export async function listJobs({ db, manualRuns, language }: Context): Promise<JobView[]> {
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
      text: inLanguage(language, () => t(`job.${name}`)),
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

type Needed = Pick<Services, 'backups' | 'config'>

/** Reads the state of the scheduled backups. A destination that cannot be read is an error in the answer. */
export async function readBackups({ db, ...services }: Needed & Pick<Services, 'db'>): Promise<Backups> {
  const { everySeconds, keep } = services.config.backups
  const [[run], stored] = await Promise.all([
    db.select({ failures: job.failures, runs: job.runs }).from(job).where(eq(job.name, 'backup')),
    listBackups(services),
  ])
  const failure = everySeconds !== null && run && run.failures > 0 ? (run.runs[0]?.error ?? null) : null
  return { everySeconds, keep, ...stored, error: stored.error ?? failure }
}

/** Reads what the destination has now, so that a lost or deleted backup counts as missing. */
export async function listBackups({
  backups,
}: Pick<Needed, 'backups'>): Promise<Pick<Backups, 'count' | 'bytes' | 'last' | 'error'>> {
  try {
    const stored = await backups.list()
    const [newest] = stored
    return {
      count: stored.length,
      bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
      last: newest ? { at: newest.at, bytes: newest.bytes } : null,
      error: null,
    }
  } catch (error) {
    return { count: 0, bytes: 0, last: null, error: error instanceof Error ? error.message : String(error) }
  }
}
