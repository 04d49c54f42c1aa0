import type { SiteFacts } from '#src/contract/site.ts'
import { BLOG_PATH, type BlogPost, blogPostPath } from '#src/contract/siteContent.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { breadcrumbs, createStructuredData, type StructuredData } from '#src/lib/structuredData.ts'

export function siteStructuredData({ name, description, links }: SiteFacts, siteUrl: string): StructuredData[] {
  const organization = `${siteUrl}/#organization`
  const url = `${siteUrl}/`
  return [
    createStructuredData('WebSite', {
      '@id': `${siteUrl}/#website`,
      name,
      url,
      inLanguage: currentLanguage(),
      publisher: { '@id': organization },
    }),
    createStructuredData('Organization', {
      '@id': organization,
      name,
      description,
      url,
      logo: `${siteUrl}/apple-touch-icon.png`,
      sameAs: [links.code, links.microblog].filter((link) => link !== null),
    }),
  ]
}

export function blogPostStructuredData(
  { slug, title, description, publishedAt, updatedAt }: BlogPost,
  site: SiteFacts,
  siteUrl: string,
): StructuredData[] {
  const url = `${siteUrl}${blogPostPath(slug)}`
  const author = { '@type': 'Organization', name: site.name, url: `${siteUrl}/` }
  return [
    createStructuredData('BlogPosting', {
      '@id': url,
      url,
      mainEntityOfPage: url,
      headline: title,
      ...(description && { description }),
      datePublished: publishedAt.toISOString(),
      dateModified: updatedAt.toISOString(),
      author,
      publisher: author,
    }),
    breadcrumbs([
      { name: site.blogName, url: `${siteUrl}${BLOG_PATH}` },
      { name: title, url },
    ]),
  ]
}
