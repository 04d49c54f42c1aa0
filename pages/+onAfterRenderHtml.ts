import type { PageContextServer } from 'vike/types'

/** Replaces the page's HTML by a placeholder, because Vike would search and copy the long HTML at each step. */
export default function extractPageHtml(pageContext: PageContextServer): void {
  const { pageHtmlString, htmlPlaceholder } = pageContext
  if (pageHtmlString === undefined || htmlPlaceholder === undefined) return
  pageContext.pageHtml = pageHtmlString
  pageContext.pageHtmlString = htmlPlaceholder
}
