import type { PageContextServer } from 'vike/types'

/** Runs on the server, for the pages of boards that exist. */
export default function addBanner(pageContext: PageContextServer): void {
  const { routeParams, urlPathname } = pageContext
  const banner = pageContext.writeBanner(routeParams.boardId ?? '', urlPathname)
  if (banner) pageContext.banner = banner
}
