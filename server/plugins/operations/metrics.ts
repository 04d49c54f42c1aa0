import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { withTimeout } from '#db/withTimeout.server.ts'
import packageJson from '#package.json' with { type: 'json' }
import type { Services } from '#server/core/context.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { onAnswer } from '#server/core/http/onResponse.ts'
import { createMetrics, type Described, type Reading, type Readings } from './prometheus.ts'

/** ms the database has for its numbers; without them the others are shown */
const DATABASE_MS = 2000

const described: Described[] = [
  { kind: 'gauge', name: 'site_build_info', help: 'Always 1', labels: ['version', 'node', 'database'] },
  { kind: 'gauge', name: 'site_live_connections', help: 'Pages that hear of changes' },
  { kind: 'gauge', name: 'site_upload_bytes', help: 'Bytes of bodies that are being received or worked on' },
  { kind: 'gauge', name: 'site_unread_bytes', help: 'Bytes of answers that their clients have not read yet' },
  { kind: 'gauge', name: 'site_page_cache_entries', help: 'Finished pages in memory' },
  { kind: 'gauge', name: 'site_page_cache_bytes', help: 'Their bytes, in all encodings' },
  {
    kind: 'counter',
    name: 'site_page_cache_reads_total',
    help: 'Requests for a page by where it came from: hit, stale (a moment old), miss; and renderings that failed',
    labels: ['outcome'],
  },
  { kind: 'gauge', name: 'site_radio_listeners', help: 'Listeners of our relay', labels: ['station'] },
  { kind: 'gauge', name: 'site_radio_streams', help: 'Streams the relay reads from the source' },
  {
    kind: 'gauge',
    name: 'site_radio_failing',
    help: '1 for a kind of question the radio service gave no answer to the last time',
    labels: ['call'],
  },
  { kind: 'gauge', name: 'site_disk_free_bytes', help: 'Free bytes on the disk of the data folder' },
  { kind: 'gauge', name: 'site_database_up', help: '1 when the database answered just now' },
  { kind: 'gauge', name: 'site_feeds', help: 'News feeds' },
  { kind: 'gauge', name: 'site_feeds_failing', help: 'News feeds that failed the last time' },
  { kind: 'gauge', name: 'site_job_last_start_timestamp_seconds', help: 'When a job last began', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_last_end_timestamp_seconds', help: 'When a job last ended', labels: ['job'] },
  {
    kind: 'gauge',
    name: 'site_job_last_success_timestamp_seconds',
    help: 'When a job last ended well, as far as this process has seen',
    labels: ['job'],
  },
  { kind: 'gauge', name: 'site_job_duration_seconds', help: 'How long its last whole run took', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_failures', help: 'Failures of a job in a row', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_leased', help: '1 while a process is running the job', labels: ['job'] },
]

/**
 * `GET /metrics` for Prometheus. Without METRICS_TOKEN it answers on the machine itself only, with it who names it.
 */
export function registerMetrics(
  app: FastifyInstance,
  services: Services,
  { database, diskSpace }: { database: DatabaseHandle['kind']; diskSpace: () => Promise<number> },
): void {
  const { eventHub, cache, radio, db, config } = services
  /** A proxy in front may pass on what others ask under the name and address of this machine, and say nothing of it. */
  const isPublic = !LOOPBACK_HOST.test(new URL(config.siteUrl).host)
  const successes = new Map<string, number>()
  const metrics = createMetrics(described, async () => ({
    ...ofThisProcess(),
    site_disk_free_bytes: await diskSpace(),
    ...(await ofDatabase()),
  }))

  onAnswer(app, ({ request, reply, milliseconds, isEndless }) => {
    if (isEndless) return
    const { method, routeOptions } = request
    metrics.countAnswer(method, routeOptions.url ?? 'none', reply.statusCode, milliseconds / 1000)
  })

  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (config.metricsToken !== null) {
      if (!namesToken(request, config.metricsToken)) {
        reply.header('www-authenticate', 'Bearer')
        throw errors.unauthorized('This needs the METRICS_TOKEN of the site')
      }
    } else if (!isLocal(request)) throw errors.notFound(errorTexts.notFound)
    else if (isPublic)
      throw errors.forbidden('Set METRICS_TOKEN: a proxy on this machine looks like the machine itself')
    return reply.type(metrics.contentType).send(await metrics.text())
  })

  function ofThisProcess(): Readings {
    const { entries, bytes, hits, stale, misses, failures } = cache.stats()
    const { listeners, streams, failing } = radio.stats()
    return {
      site_build_info: [{ labels: { version: packageJson.version, node: process.version, database }, value: 1 }],
      site_live_connections: eventHub.connectionCount(),
      site_upload_bytes: services.bodies.bytes(),
      site_unread_bytes: services.answers.bytes(),
      site_page_cache_entries: entries,
      site_page_cache_bytes: bytes,
      site_page_cache_reads_total: by('outcome', Object.entries({ hit: hits, stale, miss: misses, failure: failures })),
      site_radio_listeners: by('station', listeners),
      site_radio_streams: streams,
      site_radio_failing: by(
        'call',
        failing.map((call) => [call, 1]),
      ),
    }
  }

  async function ofDatabase(): Promise<Readings> {
    try {
      const [jobs, [feeds]] = await withTimeout(
        Promise.all([db.execute<JobRow>(jobRows), db.execute<FeedRow>(feedRow)]),
        DATABASE_MS,
      )
      for (const { name, ended, failures } of jobs) if (failures === 0 && ended !== null) successes.set(name, ended)
      const ofJobs = (read: (row: JobRow) => number | null) =>
        by(
          'job',
          jobs.flatMap((row): [string, number][] => {
            const value = read(row)
            return value === null ? [] : [[row.name, value]]
          }),
        )
      return {
        site_database_up: 1,
        site_feeds: feeds?.feeds ?? 0,
        site_feeds_failing: feeds?.failing ?? 0,
        site_job_last_start_timestamp_seconds: ofJobs(({ started }) => started),
        site_job_last_end_timestamp_seconds: ofJobs(({ ended }) => ended),
        site_job_last_success_timestamp_seconds: ofJobs(({ name }) => successes.get(name) ?? null),
        site_job_duration_seconds: ofJobs(({ started, ended }) =>
          ended === null || ended < started ? null : ended - started,
        ),
        site_job_failures: ofJobs(({ failures }) => failures),
        site_job_leased: ofJobs(({ leased }) => Number(leased)),
      }
    } catch {
      return { site_database_up: 0 }
    }
  }
}

const by = (label: string, values: Iterable<[string | number, number]>): Reading =>
  [...values].map(([key, value]) => ({ labels: { [label]: String(key) }, value }))

type JobRow = { name: string; started: number; ended: number | null; failures: number; leased: boolean }
type FeedRow = { feeds: number; failing: number }

/** What was done once and for all has its row there too, and neither lease nor end. */
const jobRows = sql`
  select name, failures, extract(epoch from started_at)::float8 as started, extract(epoch from ended_at)::float8 as ended,
    coalesce(leased_until > clock_timestamp(), false) as leased
  from job where ended_at is not null or leased_until is not null order by name`
const feedRow = sql`select count(*)::int as feeds, count(*) filter (where failures > 0)::int as failing from feed`

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compared in a time that says nothing about how much of it is right. */
function namesToken({ headers }: FastifyRequest, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/** Somebody on this machine, and not a proxy on it that passes on what others ask. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  return (
    LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  )
}
