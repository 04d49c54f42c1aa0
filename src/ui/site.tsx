import { createContext, type ReactNode, useContext, useState } from 'react'
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

const SiteContext = createContext<SiteFacts | null>(null)

/** Keeps the settings of the first page, because error pages rendered in the browser receive none. */
export function SiteProvider({ children }: { children: ReactNode }) {
  const pageContext = usePageContext()
  const [site] = useState(pageContext.site)
  return <SiteContext value={site}>{children}</SiteContext>
}

export function useSite(): SiteFacts {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite() needs the layout around it')
  return site
}
