import type { ReactNode } from 'react'
import type { Overview } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { LevelGraph } from '#src/ui/admin/LevelGraph.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { Section, StoredKinds } from './screenParts.tsx'

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

function PostsPerHour({ posts }: Pick<Overview, 'posts'>) {
  const max = Math.max(...posts.map(({ count }) => count), 1)
  const total = posts.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <p className="data">{t('admin.postsInDay', { total, max })}</p>
      <LevelGraph
        counts={posts.map(({ hour, count }) => ({ at: hour, count }))}
        isDay
        caption={t('admin.postsPerHour')}
        unit={t('admin.postsPerHour')}
      />
    </>
  )
}
