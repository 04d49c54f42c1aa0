import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { withTimeout } from '#db/withTimeout.server.ts'
import packageJson from '#package.json' with { type: 'json' }
import { readBearerToken, type Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import { listBackups } from '#server/features/site/operations.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createMetrics, type Scrape } from './prometheus.ts'
import { onResponse } from './requestLog.ts'

/** Time limit for the database queries of a scrape, and for the store of files. Late metrics are omitted or 0. */
const DATABASE_MS = 2000

/** Serves Prometheus metrics to requests with METRICS_TOKEN. If it is not set, serves them only to this machine. */
export function registerMetrics(app: FastifyInstance, services: Services, database: DatabaseHandle['kind']): void {
  const { eventHub, cache, radio, live, db, config, diskSpace } = services
  // On a public site, a reverse proxy on this machine may forward requests that look local.
  const isPublic = !LOOPBACK_HOST.test(new URL(config.siteUrl).host)
  const successes = new Map<string, number>()
  const metrics = createMetrics(async (scrape) => {
    describeProcess(scrape)
    describeIrc(scrape)
    scrape.gauge('site_files_up', '1 if files can be stored', await canStoreFiles())
    scrape.gauge('site_disk_free_bytes', 'Free bytes on the disk of the data folder', await diskSpace())
    await describeBackups(scrape)
    await describeDatabase(scrape)
  })

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

  function describeProcess({ gauge, gauges, counters }: Scrape): void {
    const { entries, bytes, hits, stale, misses, failures } = cache.stats()
    const { listeners, streams, failingCalls } = radio.stats()
    gauge('site_build_info', 'Always 1', 1, { version: packageJson.version, node: process.version, database })
    gauge('site_live_connections', 'Open event connections', eventHub.connectionCount())
    gauge('site_upload_bytes', 'Bytes of request bodies in memory', services.bodyBudget.bytes())
    const unread = services.responseBudget.bytes()
    gauge('site_unread_bytes', 'Bytes of responses that clients have not read yet', unread)
    gauge('site_page_cache_entries', 'Pages in the cache', entries)
    gauge('site_page_cache_bytes', 'Bytes of the cached pages in all encodings', bytes)
    const outcomes = Object.entries({ hit: hits, stale, miss: misses, failure: failures })
    const outcomesHelp = 'Page requests by outcome: hit, stale, miss or failure of the rendering'
    counters('site_page_cache_reads_total', outcomesHelp, 'outcome', outcomes)
    gauges('site_radio_listeners', 'Listeners of the relay', 'station', listeners)
    const statesHelp = 'Connected live sources by state: on-air, silent, standby or testing'
    gauges('site_live_sources', statesHelp, 'state', countStates(live.sources()))
    gauge('site_radio_streams', 'Streams that the relay reads from the radio service', streams)
    const failing = failingCalls.map((call) => [call, 1] as const)
    gauges('site_radio_failing', '1 for each call to the radio service that failed last time', 'call', failing)
  }

  function describeIrc({ gauge, counter, counters }: Scrape): void {
    const { isConfigured, state, stats } = services.irc
    const irc = isConfigured ? stats() : undefined
    const online = isConfigured ? Number(state() === 'online') : undefined
    gauge('site_irc_online', '1 while the IRC bot of this process is online; missing without IRC_HOST', online)
    gauge('site_irc_waiting_lines', 'Lines that wait to be sent to IRC', irc?.waiting)
    counter('site_irc_connections_total', 'Attempts of this process to connect to IRC', irc?.connections)
    const lines = irc ? Object.entries({ sent: irc.sent, dropped: irc.dropped }) : []
    const linesHelp = 'Lines for IRC by outcome: sent or dropped (too old, or too many)'
    counters('site_irc_lines_total', linesHelp, 'outcome', lines)
  }

  const canStoreFiles = (): Promise<number> =>
    withTimeout(services.files.check(), DATABASE_MS).then(
      () => 1,
      () => 0,
    )

  /** Failures of the last runs are in `site_job_failures`, with the other jobs. */
  async function describeBackups({ gauge }: Scrape): Promise<void> {
    const { everySeconds } = config.backups
    const stored = everySeconds === null ? null : await listBackups(services)
    const { count, last } = stored && stored.error === null ? stored : {}
    const intervalHelp = 'Time between scheduled backups; missing if they are off'
    gauge('site_backup_interval_seconds', intervalHelp, everySeconds ?? undefined)
    gauge('site_backups', 'Stored scheduled backups; each was verified when it was written', count)
    const startedAt = last ? last.at.getTime() / 1000 : undefined
    gauge('site_backup_last_timestamp_seconds', 'Start of the newest stored backup', startedAt)
    gauge('site_backup_last_bytes', 'Size of the newest stored backup', last?.bytes)
  }

  async function describeDatabase({ gauge, gauges }: Scrape): Promise<void> {
    const found = await withTimeout(
      Promise.all([db.execute<JobRow>(jobRows), db.execute<FeedRow>(feedRow)]),
      DATABASE_MS,
    ).catch(() => null)
    const [jobs, [feeds]] = found ?? [[], []]
    for (const { name, ended, failures } of jobs) if (failures === 0 && ended !== null) successes.set(name, ended)
    const perJob = (name: string, help: string, read: (row: JobRow) => number | null | undefined) =>
      gauges(
        name,
        help,
        'job',
        jobs.flatMap((row) => {
          const value = read(row) ?? null
          return value === null ? [] : [[row.name, value] as const]
        }),
      )
    gauge('site_database_up', '1 if the database responds', found ? 1 : 0)
    gauge('site_feeds', 'News feeds', feeds?.feeds)
    gauge('site_feeds_failing', 'News feeds whose last refresh failed', feeds?.failing)
    perJob('site_job_last_start_timestamp_seconds', 'Last start of a job', ({ started }) => started)
    perJob('site_job_last_end_timestamp_seconds', 'Last end of a job', ({ ended }) => ended)
    perJob('site_job_last_success_timestamp_seconds', 'Last success of a job that this process has seen', ({ name }) =>
      successes.get(name),
    )
    perJob('site_job_duration_seconds', 'Duration of the last completed run', ({ started, ended }) =>
      ended === null || ended < started ? null : ended - started,
    )
    perJob('site_job_failures', 'Consecutive failures of a job', ({ failures }) => failures)
    perJob('site_job_leased', '1 while a process runs the job', ({ leased }) => Number(leased))
  }
}

function countStates(sources: { state: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { state } of sources) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

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
