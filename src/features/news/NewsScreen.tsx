import { type ArticlePage, NEWS_FEED_PATH, newsMessages } from '#src/contract/news.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { ArticleCard } from './ArticleCard.tsx'
import styles from './NewsScreen.module.css'
import { newsPath } from './newsPath.ts'
import { PageJump } from './PageJump.tsx'
import { SourceChips } from './SourceChips.tsx'

/** Limits eager loading to the first row, which has at most three cards. */
const EAGER_IMAGES = 3

type NewsScreenProps = ArticlePage & { source: string | null; onJump: (page: number) => void }

export function NewsScreen({ articles, pagination, sources, sourceTitles, source, onJump }: NewsScreenProps) {
  const { currentPage: page, totalPages, hasPrevPage, hasNextPage } = pagination
  return (
    <div className="wrap">
      <PageHeader
        title="Today in Tech"
        lead={
          source === null
            ? 'Headlines from the sites we read, newest first.'
            : `Headlines from ${sourceTitles[source] ?? source}, newest first.`
        }
        action={<FeedLink href={NEWS_FEED_PATH} className={styles.feed} />}
      />
      {articles.length === 0 ? (
        <EmptyState>{newsMessages.none}</EmptyState>
      ) : (
        <>
          <SourceChips sources={sources} sourceTitles={sourceTitles} current={source} />
          <div className={styles.grid}>
            {articles.map((article, index) => (
              <ArticleCard key={article.id} article={article} isInView={index < EAGER_IMAGES} />
            ))}
          </div>
          <Pagination
            previous={hasPrevPage ? newsPath({ source, page: page - 1 }) : undefined}
            jump={<PageJump page={page} totalPages={totalPages} source={source} onJump={onJump} />}
            next={hasNextPage ? newsPath({ source, page: page + 1 }) : undefined}
          >
            Page {page} of {totalPages}
          </Pagination>
        </>
      )}
    </div>
  )
}
