import type { PageContext } from 'vike/types'
import { createHeadContext } from './head.ts'

/** Joins the page's title and the site's name. The name is unknown on an error page that the browser rendered. */
export default function title(pageContext: PageContext): string {
  const context = createHeadContext(pageContext)
  return [pageContext.config.head?.title?.(context), context.site?.name].filter(Boolean).join(' - ')
}
