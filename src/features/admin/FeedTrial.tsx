import type { FormEvent } from 'react'
import { FEED_FORMATS, newsMessages, type TriedFeed } from '#src/contract/news.ts'
import { feedTrial } from '#src/contract/newsForms.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './screens.module.css'

/** Fetches a feed and shows what the site would read, without storing it. */
export function FeedTrial() {
  const { fields, refusal, setRefusal, validate, control } = useForm({ url: '' }, feedTrial)
  const { mutate, isPending, data } = useMutation({
    mutationFn: async (trial: typeof fields) => (await trpc()).news.tryFeed.mutate(trial),
    onError: (error) => setRefusal({ text: errorText(error, newsMessages.tryFeed) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (validate(event.currentTarget)) mutate(fields)
  }

  return (
    <form className={styles.trial} onSubmit={submit} noValidate>
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label="Try a feed" hint="Fetches the URL and shows its entries. Nothing is stored.">
        <div className={styles.secret}>
          <TextInput {...control('url')} type="url" placeholder="https://" autoComplete="off" />
          <Button type="submit" busy={isPending}>
            Try
          </Button>
        </div>
      </Field>
      <div role="status">{data && !isPending && <Result feed={data} />}</div>
    </form>
  )
}

function Result({ feed }: { feed: TriedFeed }) {
  if (!feed.isRead) return <p className={styles.failure}>Could not be read: {feed.reason}</p>
  return (
    <div className={`panel ${styles.result}`}>
      <h2>{feed.title ?? 'No title'}</h2>
      <p className="data">{feed.url}</p>
      <Facts
        facts={[
          ['Format', FEED_FORMATS[feed.format]],
          ['Entries', feed.entries],
          ['Without a URL', feed.skipped],
          ['With an image', feed.withImage],
        ]}
      />
      <ul className={styles.list} aria-label="Newest entries">
        {feed.newest.map(({ title, url, publishedAt }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {title}
            </a>
            {publishedAt ? <Time date={publishedAt} /> : <span className="data">no date</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
