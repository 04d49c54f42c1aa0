import { render } from 'vike/abort'
import type { PageContextServer } from 'vike/types'
import { isFailed, loadPageData } from '#pages/pageData.ts'
import { articlesInput } from '#src/contract/news.ts'

export type Data = Awaited<ReturnType<typeof data>>

/** Reads the articles for `?page=2` and `?source=lwn.net`. Responds with 404 to invalid values. */
export async function data({ api, config, urlParsed: { search } }: PageContextServer) {
  const input = articlesInput.safeParse({ page: pageNumber(search.page), source: search.source || undefined })
  if (!input.success) throw render(404)
  const { page, source = null } = input.data
  const list = await loadPageData(config, () => api.news.list(input.data))
  if (isFailed(list)) return list
  const { totalPages, totalArticles } = list.pagination
  if (page > totalPages || (source !== null && totalArticles === 0)) throw render(404)
  return { ...list, source }
}

const pageNumber = (text: string | undefined) =>
  text === undefined || !/^[1-9]\d{0,6}$/.test(text) ? text : Number(text)
