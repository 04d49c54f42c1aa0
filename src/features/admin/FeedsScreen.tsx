import { type FeedView, newsMessages } from '#src/contract/news.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { FeedTrial } from './FeedTrial.tsx'
import { Section } from './Section.tsx'
import styles from './screens.module.css'

export function FeedsScreen() {
  const query = usePrivateQuery(['feeds'], (client) => client.news.feeds.query())
  return (
    <div className={styles.screen}>
      <FeedTrial />
      <Section title="Feeds of this site">
        <p className="hint">
          The setting <code>NEWS_FEEDS</code> lists the feeds.
        </p>
        <QueryResult query={query} failed={newsMessages.loadFeeds}>
          {(feeds) =>
            feeds.length === 0 ? (
              <EmptyState>This site has no feeds.</EmptyState>
            ) : (
              <Rows label="Feeds">
                {feeds.map((feed) => (
                  <Row key={feed.url} title={feed.title ?? feed.url} heading="h3" facts={feedFacts(feed)}>
                    {feed.title !== null && <p className="data">{feed.url}</p>}
                    {feed.failures > 0 && (
                      <p className={styles.failure}>
                        Failed {feed.failures === 1 ? 'once' : `${feed.failures} times in a row`}: {feed.failure}
                      </p>
                    )}
                  </Row>
                ))}
              </Rows>
            )
          }
        </QueryResult>
      </Section>
    </div>
  )
}

const feedFacts = ({ articles, checkedAt, nextAt }: FeedView): Fact[] => [
  ['Articles', articles],
  ['Last fetch', checkedAt ? <RelativeTime key="last" date={checkedAt} /> : 'not yet'],
  ['Next', nextAt ? <Time key="next" date={nextAt} /> : 'soon'],
]
