/**
 * Calls are no pages. Whatever may not be indexed says so itself and is not forbidden here: what is never read keeps
 * its place in an index, and a list of secret places would be a map of them.
 */
export const robotsText = (siteUrl: string): string =>
  ['User-agent: *', 'Disallow: /api/', 'Disallow: /trpc/', '', `Sitemap: ${siteUrl}/sitemap.xml`, ''].join('\n')
