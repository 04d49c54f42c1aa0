/** Moves a URL to the origin in the visitor's address bar: a site can have several. */
export function toVisitorOrigin(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.origin}${pathname}${search}`
}
