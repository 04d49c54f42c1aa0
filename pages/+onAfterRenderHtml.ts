import type { PageContextServer } from 'vike/types'

/** Sets the page's HTML aside: the framework would search and copy it at each step. */
export default function setAside(pageContext: PageContextServer): void {
  const { pageHtmlString, pagePlace } = pageContext
  if (pageHtmlString === undefined || pagePlace === undefined) return
  pageContext.pageHtml = pageHtmlString
  pageContext.pageHtmlString = pagePlace
}
