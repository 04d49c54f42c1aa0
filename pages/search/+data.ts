import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { SEARCH_FIELDS, type SearchFields, type SearchPage, searchInput } from '#src/contract/search.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

export type Data = Awaited<ReturnType<typeof data>>

/** Searches for `?q=`. Without it, the page only shows the form. */
export const data = (pageContext: PageContextServer) => loadPageData(pageContext.config, () => readSearch(pageContext))

async function readSearch({ api, urlParsed: { search } }: PageContextServer) {
  const fields = Object.fromEntries(SEARCH_FIELDS.map((name) => [name, search[name] ?? ''])) as SearchFields
  const boards = await api.search.boards()
  const shown = { fields, cursor: search.cursor, boards }
  const nothing: { page: SearchPage | null; refusal: string | null } = { page: null, refusal: null }
  if (search.q === undefined) return { ...shown, ...nothing }
  const images = fields.images === 'true' ? true : fields.images
  const input = searchInput.safeParse({ ...fields, images, cursor: search.cursor })
  if (!input.success)
    return { ...shown, ...nothing, refusal: refusalText(input.error.issues[0]?.message ?? '', currentLanguage()) }
  return { ...shown, ...nothing, page: await api.search.posts({ ...fields, images, cursor: search.cursor }) }
}
