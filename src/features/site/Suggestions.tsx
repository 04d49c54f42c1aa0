import { type ReactNode, useEffect, useId, useState } from 'react'
import type { ArticleView } from '#src/contract/news.ts'
import { type SuggestedThread, threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './errorPage.module.css'

const COUNT = 3

/** Offers the threads with the latest activity. Loads them without `initial`; shows nothing without threads. */
export function ThreadSuggestions({ initial }: { initial?: SuggestedThread[] }) {
  const [threads, setThreads] = useState(initial)
  useEffect(() => {
    if (initial) return
    trpc()
      .then(({ board }) => board.latest.query({ count: COUNT }))
      .then(setThreads, () => {})
  }, [initial])

  if (!threads || threads.length === 0) return null
  return (
    <Suggestions title={t('site.liveThreads')}>
      {threads.map(({ id, boardId, title, commentCount, lastActivity }) => (
        <li key={id}>
          <a className="stretched" href={threadPath(boardId, id)} dir="auto">
            {title}
          </a>
          <p className="data">
            /{boardId}/ · {t('ui.comments', { count: commentCount })} · <RelativeTime date={lastActivity} />
          </p>
        </li>
      ))}
    </Suggestions>
  )
}

/** Offers articles of other sites. Shows nothing without articles. */
export function ArticleSuggestions({ articles }: { articles: ArticleView[] }) {
  if (articles.length === 0) return null
  return (
    <Suggestions title={t('site.latestNews')}>
      {articles.map((article) => (
        <ArticleRow key={article.id} {...article} />
      ))}
    </Suggestions>
  )
}

export function ArticleRow({ title, url, sourceTitle, publishedAt }: ArticleView) {
  return (
    <li>
      <a className="clamp stretched" href={url} target="_blank" rel="noopener" dir="auto">
        {title}
        <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
      </a>
      <p className="data">
        {sourceTitle} · <RelativeTime date={publishedAt} />
      </p>
    </li>
  )
}

function Suggestions({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section className={`wrap ${styles.suggestions}`} aria-labelledby={titleId}>
      <h2 className="label" id={titleId}>
        {title}
      </h2>
      <ol className={`ruled link-rows ${styles.list}`}>{children}</ol>
    </section>
  )
}
