import { FEED_FORMATS, type FeedView, type TriedFeed } from '#src/contract/news.ts'
import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts, Row } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { Section } from './screenParts.tsx'
import styles from './screens.module.css'

export function FeedsScreen() {
  const query = usePrivateQuery(['feeds'], (client) => client.news.feeds.query())
  return (
    <div className="stack">
      <FeedTrial />
      <Section title={t('admin.feedsOfSite')}>
        <p className="hint">{rich('admin.feedsSetting', { code: (text) => <code translate="no">{text}</code> })}</p>
        <QueryRows
          query={query}
          failed={t('admin.feedsFailed')}
          label={t('admin.feeds')}
          items={(feeds) => feeds}
          empty={t('admin.noFeeds')}
        >
          {(feed) => (
            <Row key={feed.url} title={feed.title ?? feed.url} heading="h3" facts={feedFacts(feed)}>
              {feed.title !== null && <p className="data">{feed.url}</p>}
              {feed.movedTo !== null && (
                <p>
                  {rich('admin.feedMoved', {
                    target: feed.movedTo,
                    url: (text) => <span className="data">{text}</span>,
                    code: (text) => <code translate="no">{text}</code>,
                  })}
                </p>
              )}
              {feed.failures > 0 && (
                <p className={styles.failure}>
                  {t('admin.feedFailures', { count: feed.failures, failure: feed.failure ?? '' })}
                </p>
              )}
            </Row>
          )}
        </QueryRows>
      </Section>
    </div>
  )
}

const feedFacts = ({ articles, checkedAt, nextAt }: FeedView): Fact[] => [
  [t('admin.feedArticles'), articles],
  [t('admin.feedChecked'), checkedAt ? <RelativeTime key="last" date={checkedAt} /> : t('admin.jobNotYet')],
  [t('admin.feedNext'), nextAt ? <Time key="next" date={nextAt} /> : t('admin.feedSoon')],
]

/** Fetches a feed and shows what the site would read, without storing it. */
function FeedTrial() {
  const { fields, refusal, refuse, submitting, control } = useForm({ url: '' })
  const { mutate, isPending, data } = useMutation({
    mutationFn: async (trial: typeof fields) => (await trpc()).news.tryFeed.mutate(trial),
    onError: (error) => refuse(errorText(error, t('admin.tryFeedFailed')), refusedField(error)),
  })

  return (
    <form className={`stack ${styles.trial}`} onSubmit={submitting(() => mutate(fields))} noValidate>
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label={t('admin.tryFeed')} hint={t('admin.tryFeedHint')}>
        <div className="cluster">
          <TextInput {...control('url')} type="url" placeholder="https://" autoComplete="off" />
          <Button type="submit" busy={isPending}>
            {t('admin.try')}
          </Button>
        </div>
      </Field>
      <div role="status">{data && !isPending && <Result feed={data} />}</div>
    </form>
  )
}

function Result({ feed }: { feed: TriedFeed }) {
  if (!feed.isRead) return <p className={styles.failure}>{t('admin.feedUnreadable', { reason: feed.reason })}</p>
  return (
    <div className={`panel ${styles.result}`}>
      <h2 className="h3">{feed.title ?? t('admin.feedNoTitle')}</h2>
      <p className="data">{feed.url}</p>
      <Facts
        facts={[
          [t('streamer.format'), FEED_FORMATS[feed.format]],
          [t('admin.feedEntries'), feed.entries],
          [t('admin.feedWithoutUrl'), feed.skipped],
          [t('admin.feedWithImage'), feed.withImage],
        ]}
      />
      <ul className={`divided ${styles.list}`} aria-label={t('admin.feedNewest')}>
        {feed.newest.map(({ title, url, publishedAt }) => (
          <li key={`${url} ${title} ${publishedAt?.getTime()}`} className="spread">
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {title}
            </a>
            {publishedAt ? <Time date={publishedAt} /> : <span className="data">{t('admin.feedNoDate')}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
