import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { withTimeout } from '#db/withTimeout.server.ts'
import packageJson from '#package.json' with { type: 'json' }
import { readBearerToken, type Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import { listBackups } from '#server/features/site/backups.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createMetrics, type MetricDescription, type Reading, type Readings } from './prometheus.ts'
import { onResponse } from './requestLog.ts'

/** Time limit for the database queries of a scrape, and for the store of files. Late metrics are omitted or 0. */
const DATABASE_MS = 2000

const described: MetricDescription[] = [
  { kind: 'gauge', name: 'site_build_info', help: 'Always 1', labels: ['version', 'node', 'database'] },
  { kind: 'gauge', name: 'site_live_connections', help: 'Open event connections' },
  { kind: 'gauge', name: 'site_upload_bytes', help: 'Bytes of request bodies in memory' },
  { kind: 'gauge', name: 'site_unread_bytes', help: 'Bytes of responses that clients have not read yet' },
  { kind: 'gauge', name: 'site_page_cache_entries', help: 'Pages in the cache' },
  { kind: 'gauge', name: 'site_page_cache_bytes', help: 'Bytes of the cached pages in all encodings' },
  {
    kind: 'counter',
    name: 'site_page_cache_reads_total',
    help: 'Page requests by outcome: hit, stale, miss or failure of the rendering',
    labels: ['outcome'],
  },
  { kind: 'gauge', name: 'site_radio_listeners', help: 'Listeners of the relay', labels: ['station'] },
  {
    kind: 'gauge',
    name: 'site_live_sources',
    help: 'Connected live sources by state: on-air, silent, standby or testing',
    labels: ['state'],
  },
  { kind: 'gauge', name: 'site_radio_streams', help: 'Streams that the relay reads from the radio service' },
  {
    kind: 'gauge',
    name: 'site_radio_failing',
    help: '1 for each call to the radio service that failed last time',
    labels: ['call'],
  },
  {
    kind: 'gauge',
    name: 'site_irc_online',
    help: '1 while the IRC bot of this process is online; missing without IRC_HOST',
  },
  { kind: 'gauge', name: 'site_irc_waiting_lines', help: 'Lines that wait to be sent to IRC' },
  { kind: 'counter', name: 'site_irc_connections_total', help: 'Attempts of this process to connect to IRC' },
  {
    kind: 'counter',
    name: 'site_irc_lines_total',
    help: 'Lines for IRC by outcome: sent or dropped (too old, or too many)',
    labels: ['outcome'],
  },
  { kind: 'gauge', name: 'site_files_up', help: '1 if files can be stored' },
  { kind: 'gauge', name: 'site_disk_free_bytes', help: 'Free bytes on the disk of the data folder' },
  {
    kind: 'gauge',
    name: 'site_backup_interval_seconds',
    help: 'Time between scheduled backups; missing if they are off',
  },
  { kind: 'gauge', name: 'site_backups', help: 'Stored scheduled backups; each was verified when it was written' },
  { kind: 'gauge', name: 'site_backup_last_timestamp_seconds', help: 'Start of the newest stored backup' },
  { kind: 'gauge', name: 'site_backup_last_bytes', help: 'Size of the newest stored backup' },
  { kind: 'gauge', name: 'site_database_up', help: '1 if the database responds' },
  { kind: 'gauge', name: 'site_feeds', help: 'News feeds' },
  { kind: 'gauge', name: 'site_feeds_failing', help: 'News feeds whose last refresh failed' },
  { kind: 'gauge', name: 'site_job_last_start_timestamp_seconds', help: 'Last start of a job', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_last_end_timestamp_seconds', help: 'Last end of a job', labels: ['job'] },
  {
    kind: 'gauge',
    name: 'site_job_last_success_timestamp_seconds',
    help: 'Last success of a job that this process has seen',
    labels: ['job'],
  },
  { kind: 'gauge', name: 'site_job_duration_seconds', help: 'Duration of the last completed run', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_failures', help: 'Consecutive failures of a job', labels: ['job'] },
  { kind: 'gauge', name: 'site_job_leased', help: '1 while a process runs the job', labels: ['job'] },
]

/** Serves Prometheus metrics to requests with METRICS_TOKEN. If it is not set, serves them only to this machine. */
export function registerMetrics(app: FastifyInstance, services: Services, database: DatabaseHandle['kind']): void {
  const { eventHub, cache, radio, live, db, config, diskSpace } = services
  // On a public site, a reverse proxy on this machine may forward requests that look local.
  const isPublic = !LOOPBACK_HOST.test(new URL(config.siteUrl).host)
  const successes = new Map<string, number>()
  const metrics = createMetrics(described, async () => ({
    ...readProcess(),
    ...(services.irc.isConfigured && readIrc()),
    site_files_up: await canStoreFiles(),
    site_disk_free_bytes: await diskSpace(),
    ...(await readStoredBackups()),
    ...(await readDatabase()),
  }))

  onResponse(app, ({ request, reply, milliseconds, isEndless }) => {
    if (isEndless) return
    const { method, routeOptions } = request
    metrics.countResponse(method, routeOptions.url ?? 'none', reply.statusCode, milliseconds / 1000)
  })

  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (config.metricsToken !== null) {
      if (!hasToken(request, config.metricsToken)) {
        reply.header('www-authenticate', 'Bearer')
        throw errors.unauthorized(refusal('failure.metricsToken'))
      }
    } else if (!isLocal(request)) throw errors.notFound(refusal('failure.notFound'))
    else if (isPublic) throw errors.forbidden(refusal('failure.metricsProxy'))
    return reply.type(metrics.contentType).send(await metrics.text())
  })

  function readProcess(): Readings {
    const { entries, bytes, hits, stale, misses, failures } = cache.stats()
    const { listeners, streams, failingCalls } = radio.stats()
    return {
      site_build_info: [{ labels: { version: packageJson.version, node: process.version, database }, value: 1 }],
      site_live_connections: eventHub.connectionCount(),
      site_upload_bytes: services.bodyBudget.bytes(),
      site_unread_bytes: services.responseBudget.bytes(),
      site_page_cache_entries: entries,
      site_page_cache_bytes: bytes,
      site_page_cache_reads_total: labelled(
        'outcome',
        Object.entries({ hit: hits, stale, miss: misses, failure: failures }),
      ),
      site_radio_listeners: labelled('station', listeners),
      site_live_sources: labelled('state', countStates(live.sources())),
      site_radio_streams: streams,
      site_radio_failing: labelled(
        'call',
        failingCalls.map((call) => [call, 1]),
      ),
    }
  }

  function readIrc(): Readings {
    const { waiting, sent, dropped, connections } = services.irc.stats()
    return {
      site_irc_online: Number(services.irc.state() === 'online'),
      site_irc_waiting_lines: waiting,
      site_irc_connections_total: connections,
      site_irc_lines_total: labelled('outcome', Object.entries({ sent, dropped })),
    }
  }

  const canStoreFiles = (): Promise<number> =>
    withTimeout(services.files.check(), DATABASE_MS).then(
      () => 1,
      () => 0,
    )

  /** Failures of the last runs are in `site_job_failures`, with the other jobs. */
  async function readStoredBackups(): Promise<Readings> {
    const { everySeconds } = config.backups
    if (everySeconds === null) return {}
    const { count, last, error } = await listBackups(services)
    if (error !== null) return { site_backup_interval_seconds: everySeconds }
    return {
      site_backup_interval_seconds: everySeconds,
      site_backups: count,
      ...(last && {
        site_backup_last_timestamp_seconds: last.at.getTime() / 1000,
        site_backup_last_bytes: last.bytes,
      }),
    }
  }

  async function readDatabase(): Promise<Readings> {
    try {
      const [jobs, [feeds]] = await withTimeout(
        Promise.all([db.execute<JobRow>(jobRows), db.execute<FeedRow>(feedRow)]),
        DATABASE_MS,
      )
      for (const { name, ended, failures } of jobs) if (failures === 0 && ended !== null) successes.set(name, ended)
      const perJob = (read: (row: JobRow) => number | null) =>
        labelled(
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
        site_job_last_start_timestamp_seconds: perJob(({ started }) => started),
        site_job_last_end_timestamp_seconds: perJob(({ ended }) => ended),
        site_job_last_success_timestamp_seconds: perJob(({ name }) => successes.get(name) ?? null),
        site_job_duration_seconds: perJob(({ started, ended }) =>
          ended === null || ended < started ? null : ended - started,
        ),
        site_job_failures: perJob(({ failures }) => failures),
        site_job_leased: perJob(({ leased }) => Number(leased)),
      }
    } catch {
      return { site_database_up: 0 }
    }
  }
}

function countStates(sources: { state: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { state } of sources) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

const labelled = (label: string, values: Iterable<[string | number, number]>): Reading =>
  [...values].map(([key, value]) => ({ labels: { [label]: String(key) }, value }))

type JobRow = { name: string; started: number; ended: number | null; failures: number; leased: boolean }
type FeedRow = { feeds: number; failing: number }

/** Omits one-time tasks (`claimOneTimeTask`). */
const jobRows = sql`
  select name, failures, extract(epoch from started_at)::float8 as started, extract(epoch from ended_at)::float8 as ended,
    coalesce(leased_until > clock_timestamp(), false) as leased
  from job where ended_at is not null or leased_until is not null order by name`
const feedRow = sql`select count(*)::int as feeds, count(*) filter (where failures > 0)::int as failing from feed`

const hasToken = ({ headers }: FastifyRequest, token: string): boolean =>
  verifyToken(readBearerToken(headers), hashToken(token, 'utf8'), 'utf8')

const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/** Returns whether a request comes from this machine and not through a proxy. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  return (
    LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  )
}
