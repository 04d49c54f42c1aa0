import type { PageContext } from 'vike/types'
import { usePageContext } from 'vike-react/usePageContext'
import type { Site, SiteFacts } from '#src/contract/site.ts'
import type { SiteSwitch } from '#src/contract/switches.ts'

declare global {
  namespace Vike {
    interface PageContext {
      site: SiteFacts
      /** what all visitors should know about the site; undefined on error pages rendered in the browser */
      notice?: SiteSwitch[]
      /** HTML with a random banner of the page's board. The server writes it, so that no page loads code for it. */
      banner?: string
    }
    interface PageContextServer {
      about: Site['about']
      /** URL of the style sheet with the site's colours and logo; null if they are the default */
      brandStyles: string | null
      /** end of the URLs of the site's icons */
      iconsQuery: string
      /** returns HTML for a page of a board, or null if the board has no banners */
      writeBanner: (boardId: string, page: string) => string | null
    }
  }
}

let known: SiteFacts

/** Returns the facts of the site. An error page that the browser renders receives none: it has those of an earlier page. */
export function siteOf(pageContext: PageContext): SiteFacts {
  known = (pageContext.site as SiteFacts | undefined) ?? known
  return known
}

export const useSite = (): SiteFacts => siteOf(usePageContext())

/** Returns the first crumb of all pages of the imageboard. */
export const useBoardsCrumb = () => ({ label: useSite().boardsName, href: '/dtpchan' })
