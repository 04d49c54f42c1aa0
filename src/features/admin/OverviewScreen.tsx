import type { ReactNode } from 'react'
import { type Overview, operationMessages } from '#src/contract/operations.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { PostsPerHour } from './PostsPerHour.tsx'
import { Section } from './Section.tsx'
import { StoredKinds } from './StoredKinds.tsx'
import styles from './screens.module.css'

type OverviewScreenProps = { listeners: ReactNode; switches: ReactNode }

export function OverviewScreen({ listeners, switches }: OverviewScreenProps) {
  const query = usePrivateQuery(['overview'], (client) => client.site.operations.overview.query())
  return (
    <QueryResult query={query} failed={operationMessages.overview}>
      {(overview) => (
        <div className={styles.screen}>
          <Section title="Posts per hour">
            <PostsPerHour posts={overview.posts} />
          </Section>
          <Section title="Listeners">{listeners}</Section>
          <Section title="Moderation">
            <Facts facts={moderationFacts(overview)} />
          </Section>
          <Section title="Switches">{switches}</Section>
          <Section title="Storage">
            <StoredKinds stored={overview.stored} />
          </Section>
          <Section title="Server">
            <Facts facts={serverFacts(overview)} />
          </Section>
        </div>
      )}
    </QueryResult>
  )
}

function CountLink({ count, href }: { count: number; href: string }) {
  return count === 0 ? count : <a href={href}>{count}</a>
}

const moderationFacts = ({ openReports, heldPosts }: Overview): Fact[] => [
  ['Open reports', <CountLink key="reports" count={openReports} href="/admin/queue" />],
  ['Held posts', <CountLink key="held" count={heldPosts} href="/admin/queue" />],
]

const serverFacts = ({ version, database, startedAt, freeDiskBytes }: Overview): Fact[] => [
  ['Version', version],
  ['Database', database === 'embedded' ? 'PGlite, embedded' : 'PostgreSQL'],
  ['Started', <RelativeTime key="started" date={startedAt} />],
  ['Free disk', freeDiskBytes === null ? 'unknown' : formatBytes(freeDiskBytes)],
]
