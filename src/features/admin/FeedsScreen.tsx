import type { FeedView } from '#src/contract/news.ts'
import { rich, t } from '#src/i18n/t.ts'
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
      <Section title={t('admin.feedsOfSite')}>
        <p className="hint">{rich('admin.feedsSetting', { code: (text) => <code>{text}</code> })}</p>
        <QueryResult query={query} failed={t('admin.feedsFailed')}>
          {(feeds) =>
            feeds.length === 0 ? (
              <EmptyState>{t('admin.noFeeds')}</EmptyState>
            ) : (
              <Rows label={t('admin.feeds')}>
                {feeds.map((feed) => (
                  <Row key={feed.url} title={feed.title ?? feed.url} heading="h3" facts={feedFacts(feed)}>
                    {feed.title !== null && <p className="data">{feed.url}</p>}
                    {feed.movedTo !== null && (
                      <p>
                        {rich('admin.feedMoved', {
                          target: feed.movedTo,
                          url: (text) => <span className="data">{text}</span>,
                          code: (text) => <code>{text}</code>,
                        })}
                      </p>
                    )}
                    {feed.failures > 0 && (
                      <p className={styles.failure}>
                        {t('admin.feedFailures', { count: feed.failures, failure: feed.failure ?? '' })}
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
  [t('admin.feedArticles'), articles],
  [t('admin.feedChecked'), checkedAt ? <RelativeTime key="last" date={checkedAt} /> : t('admin.feedNotYet')],
  [t('admin.feedNext'), nextAt ? <Time key="next" date={nextAt} /> : t('admin.feedSoon')],
]
