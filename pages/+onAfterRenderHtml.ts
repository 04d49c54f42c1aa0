import type { PageContextServer } from 'vike/types'

/** Replaces the page's HTML with a placeholder. Otherwise Vike would search and copy the long HTML several times. */
export default function extractPageHtml(pageContext: PageContextServer): void {
  const { pageHtmlString, htmlPlaceholder } = pageContext
  if (pageHtmlString === undefined || htmlPlaceholder === undefined) return
  pageContext.pageHtml = pageHtmlString
  pageContext.pageHtmlString = htmlPlaceholder
}
