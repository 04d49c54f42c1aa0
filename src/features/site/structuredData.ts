import type { SiteFacts } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { createStructuredData, type StructuredData } from '#src/lib/structuredData.ts'

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
