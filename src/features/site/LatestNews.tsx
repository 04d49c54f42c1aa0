import { type ArticleView, NEWS_PATH, newsMessages } from '#src/contract/news.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { HomeSection } from './HomeSection.tsx'
import styles from './LatestNews.module.css'

/** `articles` is null if loading them failed. */
export function LatestNews({ articles }: { articles: ArticleView[] | null }) {
  return (
    <HomeSection id="latest-news" title="Latest news" more={{ label: 'All news', href: NEWS_PATH }}>
      {articles === null ? (
        <Alert>{newsMessages.load}</Alert>
      ) : articles.length === 0 ? (
        <EmptyState>{newsMessages.none}</EmptyState>
      ) : (
        <ol className={styles.list}>
          {articles.map(({ id, title, url, sourceTitle, publishedAt }) => (
            <li key={id} className={styles.row}>
              <a className={styles.title} href={url} target="_blank" rel="noopener" dir="auto">
                {title}
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
              <p className="data">
                {sourceTitle} · <RelativeTime date={publishedAt} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </HomeSection>
  )
}
