import { expect, test } from 'vitest'
import type { ArticleView } from '#src/contract/news.ts'
import { formatDay, groupByDay } from '#src/features/news/NewsScreen.tsx'

const at = (date: string) => ({ publishedAt: new Date(date) }) as ArticleView

test('groups sorted articles by their UTC day', () => {
  const articles = ['2026-11-22T23:59:59Z', '2026-11-22T00:00:00Z', '2026-11-21T23:59:59Z'].map(at)
  const days = groupByDay(articles)
  expect(days.map(({ day }) => day)).toEqual(['2026-11-22', '2026-11-21'])
  expect(days.flatMap((day) => day.articles)).toEqual(articles)
  expect(groupByDay([])).toEqual([])
})

test('names a day with its weekday', () => {
  expect(formatDay(new Date('2026-11-22T23:59:59Z'))).toBe('Sunday, 22/11/2026')
})
