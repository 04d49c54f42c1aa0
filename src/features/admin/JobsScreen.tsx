import { ChevronDown } from 'lucide-react'
import type { JobView } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { cx } from '#src/ui/cx.ts'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { formatSeconds } from './screenParts.tsx'
import styles from './screens.module.css'

/** Reloads the list this often while a job runs. */
const POLL_MS = 1000

export function JobsScreen() {
  const query = usePrivateQuery(['jobs'], (client) => client.site.operations.jobs.query(), {
    pollMs: (jobs) => (jobs?.some(({ isRunning }) => isRunning) ? POLL_MS : null),
  })
  const { action, alert } = useActions(query.refetch)
  return (
    <div className="stack">
      {alert}
      <QueryRows query={query} failed={t('admin.jobsFailed')} label={t('admin.jobs')} items={(jobs) => jobs}>
        {(job) => {
          const { name, isRunning } = job
          return (
            <Row
              key={name}
              title={name}
              text={job.text}
              facts={jobFacts(job)}
              actions={
                <RowButton
                  {...action({
                    key: name,
                    run: (client) => client.site.operations.runJob.mutate({ name }),
                    done: t('admin.jobStarted', { name }),
                    failed: t('admin.jobRunFailed'),
                  })}
                  {...(isRunning && { busy: true })}
                >
                  {isRunning ? t('admin.jobRunning') : t('admin.jobRun')}
                </RowButton>
              }
            >
              <LastRuns runs={job.runs} />
            </Row>
          )
        }}
      </QueryRows>
    </div>
  )
}

function LastRuns({ runs }: Pick<JobView, 'runs'>) {
  if (runs.length === 0) return null
  return (
    <details className={cx('accordion', styles.runs)}>
      <summary>
        <ChevronDown className="icon icon-s chevron" />
        {runs[0]?.error === null ? t('admin.jobRuns') : t('admin.jobLatestFailed')}
      </summary>
      <ol>
        {runs.map(({ startedAt, seconds, error }) => (
          <li key={startedAt.getTime()} className="data">
            <Time date={startedAt} /> · {formatSeconds(seconds)} ·{' '}
            {error === null ? t('admin.jobRunDone') : <strong>{error}</strong>}
          </li>
        ))}
      </ol>
    </details>
  )
}

function jobFacts({ intervalSeconds, startedAt, seconds, failures }: JobView): Fact[] {
  const facts: Fact[] = [
    [t('admin.jobInterval'), formatSeconds(intervalSeconds)],
    [t('admin.jobLastRun'), startedAt ? <RelativeTime key="start" date={startedAt} /> : t('admin.jobNotYet')],
  ]
  if (seconds !== null) facts.push([t('admin.jobTook'), formatSeconds(seconds)])
  if (failures > 0) facts.push([t('admin.jobFailures'), <strong key="failures">{failures}</strong>])
  return facts
}
