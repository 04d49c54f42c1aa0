import { NEWS_PATH } from '#src/contract/news.ts'

/** `source` is null for all sources; `page` starts at 1. */
type NewsLocation = { source: string | null; page: number }

export function newsPath({ source, page }: NewsLocation): string {
  const query = new URLSearchParams()
  if (page > 1) query.set('page', String(page))
  if (source !== null) query.set('source', source)
  return query.size > 0 ? `${NEWS_PATH}?${query}` : NEWS_PATH
}

export function newsTitle({ source, page }: NewsLocation): string {
  const name = source === null ? 'Today in Tech' : `Today in Tech: ${source}`
  return page > 1 ? `${name}, page ${page}` : name
}
