import type { PageContextServer } from 'vike/types'

/** What is around the page is put together without it: it would be searched and copied whole at each step. */
export default function setAside(pageContext: PageContextServer): void {
  const { pageHtmlString, pagePlace } = pageContext
  if (pageHtmlString === undefined || pagePlace === undefined) return
  pageContext.pageHtml = pageHtmlString
  pageContext.pageHtmlString = pagePlace
}
