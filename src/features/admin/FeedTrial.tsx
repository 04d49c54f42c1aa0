import { FEED_FORMATS, type TriedFeed } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './screens.module.css'

/** Fetches a feed and shows what the site would read, without storing it. */
export function FeedTrial() {
  const { fields, refusal, refuse, submitting, control } = useForm({ url: '' })
  const { mutate, isPending, data } = useMutation({
    mutationFn: async (trial: typeof fields) => (await trpc()).news.tryFeed.mutate(trial),
    onError: (error) => refuse(errorText(error, t('admin.tryFeedFailed')), refusedField(error)),
  })

  return (
    <form className={styles.trial} onSubmit={submitting(() => mutate(fields))} noValidate>
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label={t('admin.tryFeed')} hint={t('admin.tryFeedHint')}>
        <div className={styles.secret}>
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
      <h2>{feed.title ?? t('admin.feedNoTitle')}</h2>
      <p className="data">{feed.url}</p>
      <Facts
        facts={[
          [t('admin.feedFormat'), FEED_FORMATS[feed.format]],
          [t('admin.feedEntries'), feed.entries],
          [t('admin.feedWithoutUrl'), feed.skipped],
          [t('admin.feedWithImage'), feed.withImage],
        ]}
      />
      <ul className={styles.list} aria-label={t('admin.feedNewest')}>
        {feed.newest.map(({ title, url, publishedAt }) => (
          <li key={`${url} ${title} ${publishedAt?.getTime()}`}>
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
