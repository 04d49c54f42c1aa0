import type { Services } from '#server/core/context.ts'
import { ARTICLES_PER_PAGE, type ArticlePage } from '#src/contract/news.ts'
import type { ArticlesInput } from '#src/contract/newsForms.ts'

/** One page of articles, newest first, of one source or of all. */
export async function listArticles(_ctx: Pick<Services, 'db' | 'now'>, { page }: ArticlesInput): Promise<ArticlePage> {
  const pagination = {
    currentPage: page,
    totalPages: 1,
    articlesPerPage: ARTICLES_PER_PAGE,
    totalArticles: 0,
    hasPrevPage: page > 1,
    hasNextPage: false,
  }
  return { articles: [], pagination, sources: [] }
}
