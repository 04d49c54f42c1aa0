import { type FormEvent, useEffect, useRef } from 'react'
import { feedPath } from '#src/contract/feeds.ts'
import { type ArticlePage, type ArticleView, NEWS_PATH } from '#src/contract/news.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { utcDate } from '#src/lib/formatTime.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { ChipLink } from '#src/ui/Chip.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Pagination } from '#src/ui/Pagination.tsx'
import { ArticleCard } from './ArticleCard.tsx'
import styles from './NewsScreen.module.css'
import { newsPath } from './newsPath.ts'

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

type PageJumpProps = { page: number; totalPages: number; source: string | null; onJump: (page: number) => void }

function PageJump({ page, totalPages, source, onJump }: PageJumpProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onJump(Number(new FormData(event.currentTarget).get('page')))
  }

  return (
    <form className={`cluster ${styles.jump}`} action={NEWS_PATH} onSubmit={submit}>
      <Field label={t('news.goToPage')}>
        <TextInput
          key={page}
          mono
          className={styles.number}
          type="number"
          name="page"
          inputMode="numeric"
          min={1}
          max={totalPages}
          required
          defaultValue={page}
        />
      </Field>
      {source !== null && <input type="hidden" name="source" value={source} />}
      <Button size="small" type="submit" native>
        {t('news.go')}
      </Button>
    </form>
  )
}

type SourceChipsProps = Pick<ArticlePage, 'sources' | 'sourceTitles'> & { current: string | null }

function SourceChips({ sources, sourceTitles, current }: SourceChipsProps) {
  const row = useRef<HTMLUListElement>(null)

  // Scrolls the row, but not the page, to the chosen chip: on a phone, the row is wider than the screen.
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>(current === null ? 'li' : 'li:has([aria-current])')
    if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft - row.current.clientWidth / 3
  }, [current])

  return (
    <nav aria-label={t('news.sources')}>
      <ul ref={row} className={cx('cluster scroller', styles.chips)}>
        {[null, ...sources].map((source) => (
          <li key={source}>
            <ChipLink href={newsPath({ source, page: 1 })} aria-current={source === current ? 'true' : undefined}>
              {source === null ? t('news.allSources') : <span className="mono">{sourceTitles[source] ?? source}</span>}
            </ChipLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type NewsDay = { day: string; articles: [ArticleView, ...ArticleView[]] }

/** Groups articles that are sorted by date, by their UTC day (`2026-11-22`). */
export function groupByDay(articles: ArticleView[]): NewsDay[] {
  const days: NewsDay[] = []
  for (const article of articles) {
    const day = article.publishedAt.toISOString().slice(0, 10)
    const last = days.at(-1)
    if (last?.day === day) last.articles.push(article)
    else days.push({ day, articles: [article] })
  }
  return days
}

/** Returns a day such as `Sunday, 22/11/2026`. */
export const formatDay = (date: Date): string =>
  t('news.day', {
    weekday: formatDate(date, { weekday: 'long', timeZone: 'UTC' }),
    date: utcDate(date),
  })
