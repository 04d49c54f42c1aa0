import type { ArticleView } from '#src/contract/news.ts'
import { utcDate } from '#src/ui/formatTime.ts'

export type NewsDay = { day: string; articles: [ArticleView, ...ArticleView[]] }

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })

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
export const formatDay = (date: Date): string => `${weekday.format(date)}, ${utcDate(date)}`
