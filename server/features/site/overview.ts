import { sql } from 'drizzle-orm'
import { livePost } from '#db/schema/index.ts'
import packageJson from '#package.json' with { type: 'json' }
import type { Services } from '#server/core/context.ts'
import type { Overview } from '#src/contract/operations.ts'
import { readFreeDiskBytes, readStoredKinds } from './storage.ts'

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

async function countPostsPerHour({ db, now }: Pick<Services, 'db' | 'now'>): Promise<Overview['posts']> {
  const thisHour = Math.floor(now().getTime() / HOUR_MS)
  const hours = Array.from({ length: HOURS }, (_, index) => thisHour - HOURS + 1 + index)
  const first = new Date((hours[0] ?? thisHour) * HOUR_MS)
  const hour = sql<number>`floor(extract(epoch from ${livePost.createdAt}) / 3600)::int`
  const rows = await db
    .select({ hour, count: sql<number>`count(*)::int` })
    .from(livePost)
    .where(sql`${livePost.createdAt} >= ${first.toISOString()}`)
    .groupBy(hour)
  const counts = new Map(rows.map((row) => [row.hour, row.count]))
  return hours.map((number) => ({ hour: new Date(number * HOUR_MS), count: counts.get(number) ?? 0 }))
}
