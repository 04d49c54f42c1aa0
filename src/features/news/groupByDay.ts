import type { ArticleView } from '#src/contract/news.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { utcDate } from '#src/lib/formatTime.ts'

export type NewsDay = { day: string; articles: [ArticleView, ...ArticleView[]] }

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
    weekday: date.toLocaleDateString(currentLanguage(), { weekday: 'long', timeZone: 'UTC' }),
    date: utcDate(date),
  })
