import { derivedFromData } from '#pages/pageData.ts'
import { BLOG_PATH, blogPostPath } from '#src/contract/siteContent.ts'
import { breadcrumbs, createStructuredData, type StructuredData } from '#src/lib/structuredData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, StructuredData[]>(
  ({ slug, title, description, publishedAt, updatedAt }, { siteUrl = '', site }) => {
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
  },
  [],
)
