/** Replaces a URL's origin by the origin in the visitor's address bar, because a site can have several. */
export function toVisitorOrigin(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.origin}${pathname}${search}`
}
