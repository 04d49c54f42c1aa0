import { NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'

/** `source` is null for all sources; `page` starts at 1. */
type NewsLocation = { source: string | null; page: number }

export function newsPath({ source, page }: NewsLocation): string {
  const query = new URLSearchParams()
  if (page > 1) query.set('page', String(page))
  if (source !== null) query.set('source', source)
  return query.size > 0 ? `${NEWS_PATH}?${query}` : NEWS_PATH
}

export function newsTitle({ source, page }: NewsLocation): string {
  const title = source === null ? t('news.title') : t('news.titleOfSource', { source })
  return page > 1 ? t('news.titleOfPage', { title, page }) : title
}
