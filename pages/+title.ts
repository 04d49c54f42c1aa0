import type { PageContext } from 'vike/types'

/** Joins the page's title and the site's name. The name is unknown on an error page that the browser rendered. */
export default function title(pageContext: PageContext): string {
  const { pageTitle } = pageContext.config
  const site = pageContext.site as PageContext['site'] | undefined
  return [typeof pageTitle === 'function' ? pageTitle(pageContext) : pageTitle, site?.name].filter(Boolean).join(' - ')
}
