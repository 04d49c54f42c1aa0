import type { PageContext } from 'vike/types'
import { PODCAST_TYPE } from '#src/contract/archive.ts'
import { feedFormats, feedPath, feedTypes } from '#src/contract/feeds.ts'
import { CARD, imageTypeOf } from '#src/contract/image.ts'
import type { SiteFacts } from '#src/contract/site.ts'
import { jsonForScript, type StructuredData } from '#src/lib/structuredData.ts'
import { siteOf } from '#src/ui/site.ts'
import { isFailed, type Loaded } from './pageData.ts'

/** Input of the texts and settings of a head. */
export type HeadContext<Data> = {
  /** null if the page's data did not load */
  data: Data
  site: SiteFacts
  /** public origin without a trailing slash; only known on the server */
  siteUrl: string
  pageContext: PageContext
}

export function createHeadContext(pageContext: PageContext): HeadContext<unknown> {
  const { data, siteUrl = '' } = pageContext
  return { data: isFailed(data) ? null : data, site: siteOf(pageContext), siteUrl, pageContext }
}

/** `url` is a path on this site. Sizes are in pixels; the default is the size of a card. */
type PreviewImage = { url: string; width?: number; height?: number; alt: string }
/** The content of link previews on other sites. */
export type Preview = {
  image?: PreviewImage | undefined
  article?: { published: Date; modified: Date; section: string }
}
/** A page that has feeds below its path. */
type FeedPage = { path: string; title: string }
/** A page with the content of a podcast, whose feed is at `path`. */
export type Podcast = { path: string; title: string }

/**
 * What `+head.ts` of a page says about it. Browsers use the title and what replaces data that did not load. Of a page
 * whose data did not load, only the title and the description are read.
 */
export type Head<Data = unknown> = {
  /** the title without the site's name */
  title?: (context: HeadContext<Loaded<Data> | null>) => string
  description?: ((context: HeadContext<Loaded<Data> | null>) => string) | undefined
  /** excludes the page from search engines; its head then has only a title and a description */
  noindex?: boolean
  /** the page's error if its data did not load */
  failure?: () => string
  /** shown instead of an error, if the page is of use without its data */
  fallbackData?: Data
  /** the page's path, including query parameters that select another page; the default is the path without a query */
  canonical?: (context: HeadContext<Loaded<Data>>) => string
  preview?: (context: HeadContext<Loaded<Data>>) => Preview
  structuredData?: ((context: HeadContext<Loaded<Data>>) => StructuredData[]) | undefined
  feed?: (context: HeadContext<Loaded<Data>>) => FeedPage | null
  podcast?: (context: HeadContext<Loaded<Data>>) => Podcast | null
}

const OWN_IMAGE = '/og.png'
/** Link previews show narrower images beside the text, not above it. */
const LARGE_IMAGE_PX = 600

/** Returns a page's head with absolute URLs. `canonical` is null if search engines must not index the page. */
export function createHead(pageContext: PageContext) {
  const { head = {} } = pageContext.config
  const context = createHeadContext(pageContext)
  const { site, siteUrl, data } = context
  const absolute = (path: string) => `${siteUrl}${path}`
  // If the data did not load, the page shows an error, which search engines must not index.
  const failed = data === null
  const noindex = head.noindex === true || failed
  const read = <Value>(setting: ((context: HeadContext<unknown>) => Value) | undefined) =>
    failed ? undefined : setting?.(context)

  const { image, article } = read(head.preview) ?? {}
  const shown = { ...CARD, ...(image ?? { url: OWN_IMAGE, alt: `${site.name}. ${site.tagline}` }) }
  const feed = read(head.feed)
  const podcast = read(head.podcast)
  return {
    noindex,
    canonical: noindex ? null : absolute(read(head.canonical) ?? pageContext.urlPathname),
    siteName: site.name,
    image: { ...shown, url: absolute(shown.url), type: imageTypeOf(shown.url) },
    card: shown.width >= LARGE_IMAGE_PX ? 'summary_large_image' : 'summary',
    article,
    feeds: [
      ...(feed ? feedFormats : []).map((format) => ({
        type: feedTypes[format],
        href: absolute(feedPath(feed?.path ?? '', format)),
        title: feed?.title,
      })),
      ...(podcast ? [{ type: PODCAST_TYPE, href: absolute(podcast.path), title: podcast.title }] : []),
    ],
    structuredData: noindex ? [] : (read(head.structuredData) ?? []).map(jsonForScript),
  }
}
