import { feedPath } from '#src/contract/feeds.ts'
import { type ArticlePage, NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { ArticleCard } from './ArticleCard.tsx'
import { formatDay, groupByDay } from './groupByDay.ts'
import styles from './NewsScreen.module.css'
import { newsPath } from './newsPath.ts'
import { PageJump } from './PageJump.tsx'
import { SourceChips } from './SourceChips.tsx'

/** Limits eager loading to the lead and the cards beside or below it. */
const EAGER_IMAGES = 3

type NewsScreenProps = ArticlePage & { source: string | null; onJump: (page: number) => void }

export function NewsScreen({ articles, pagination, sources, sourceTitles, source, onJump }: NewsScreenProps) {
  const { currentPage: page, totalPages, hasPrevPage, hasNextPage } = pagination
  return (
    <div className="wrap">
      <PageHeader
        title={t('news.title')}
        lead={source === null ? t('news.lead') : t('news.leadOfSource', { source: sourceTitles[source] ?? source })}
        action={<FeedLink href={feedPath(NEWS_PATH, 'atom')} className={styles.feed} />}
      />
      {articles.length === 0 ? (
        <EmptyState hint={t('news.noneHint')} action={<ButtonLink href="/dtpchan">{t('site.openBoards')}</ButtonLink>}>
          {t('news.none')}
        </EmptyState>
      ) : (
        <>
          <SourceChips sources={sources} sourceTitles={sourceTitles} current={source} />
          {groupByDay(articles).map(({ day, articles: ofDay }) => (
            <section key={day} aria-labelledby={`day-${day}`}>
              <h2 className={cx('label', styles.day)} id={`day-${day}`}>
                {formatDay(ofDay[0].publishedAt)}
              </h2>
              <div className={styles.grid}>
                {ofDay.map((article) => (
                  <ArticleCard
                    key={article.id}
                    article={article}
                    isLead={page === 1 && article === articles[0]}
                    isInView={articles.indexOf(article) < EAGER_IMAGES}
                  />
                ))}
              </div>
            </section>
          ))}
          <Pagination
            previous={hasPrevPage ? newsPath({ source, page: page - 1 }) : undefined}
            jump={<PageJump page={page} totalPages={totalPages} source={source} onJump={onJump} />}
            next={hasNextPage ? newsPath({ source, page: page + 1 }) : undefined}
          >
            {t('ui.pageOf', { page, pages: totalPages })}
          </Pagination>
        </>
      )}
    </div>
  )
}
