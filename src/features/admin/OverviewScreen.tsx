import type { ReactNode } from 'react'
import type { Overview } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { padTwo } from '#src/lib/formatTime.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { Section } from './Section.tsx'
import { StoredKinds } from './StoredKinds.tsx'
import styles from './screens.module.css'

type OverviewScreenProps = { waiting: ReactNode; listeners: ReactNode; switches: ReactNode }

export function OverviewScreen({ waiting, listeners, switches }: OverviewScreenProps) {
  const query = usePrivateQuery(['overview'], (client) => client.site.operations.overview.query())
  return (
    <div className="stack">
      <Section title={t('admin.waiting')}>{waiting}</Section>
      <QueryResult query={query} failed={t('admin.overviewFailed')}>
        {(overview) => (
          <>
            <Section title={t('admin.postsPerHour')}>
              <PostsPerHour posts={overview.posts} />
            </Section>
            <Section title={t('show.listeners')}>{listeners}</Section>
            <Section title={t('admin.switches')}>{switches}</Section>
            <Section title={t('admin.storage')}>
              <StoredKinds stored={overview.stored} />
            </Section>
            <Section title={t('site.server')}>
              <Facts facts={serverFacts(overview)} />
            </Section>
          </>
        )}
      </QueryResult>
    </div>
  )
}

const serverFacts = ({ version, database, startedAt, freeDiskBytes }: Overview): Fact[] => [
  [t('admin.version'), version],
  [t('admin.database'), database === 'embedded' ? t('admin.databaseEmbedded') : 'PostgreSQL'],
  [t('admin.started'), <RelativeTime key="started" date={startedAt} />],
  [t('admin.freeDisk'), freeDiskBytes === null ? t('ui.unknown') : formatBytes(freeDiskBytes)],
]

/** Draws the posts of the last 24 hours as levels of ticks, in the visitor's time zone. */
function PostsPerHour({ posts }: Pick<Overview, 'posts'>) {
  const max = Math.max(...posts.map(({ count }) => count), 1)
  const total = posts.reduce((sum, { count }) => sum + count, 0)
  return (
    <div>
      <p className="data">{t('admin.postsInDay', { total, max })}</p>
      <ol className={styles.hours} aria-label={t('admin.postsPerHour')}>
        {posts.map(({ hour, count }, index) => (
          <li key={hour.getTime()} title={`${padTwo(hour.getHours())}:00: ${count}`}>
            <div className={styles.track}>
              <div
                className={styles.level}
                data-now={index === posts.length - 1 || undefined}
                data-none={count === 0 || undefined}
                ref={(element) => element?.style.setProperty('--level', `${(count / max) * 100}%`)}
              />
            </div>
            <span className={index % 6 === 5 ? styles.label : 'visually-hidden'}>
              {padTwo(hour.getHours())}:00<span className="visually-hidden">: {count}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
