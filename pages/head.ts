import type { PageContext } from 'vike/types'
import { feedFormats, feedPath, feedTypes } from '#src/contract/feeds.ts'
import { CARD, imageTypeOf } from '#src/contract/image.ts'
import { PODCAST_TYPE } from '#src/contract/recording.ts'
import { jsonForScript, type StructuredData } from '#src/lib/structuredData.ts'
import { isFailed } from './pageData.ts'

/** `url` is a path on this site. Sizes are in pixels. */
type PreviewImage = { url: string; width: number; height: number; alt: string }
/** The content of link previews on other sites. */
export type Preview = {
  image?: PreviewImage | undefined
  article?: { published: Date; modified: Date; section: string }
}
/** A page that has feeds below its path. */
export type FeedPage = { path: string; title: string }
/** A page with the content of a podcast, whose feed is at `path`. */
export type Podcast = { path: string; title: string }

export type Setting<Value> = Value | ((pageContext: PageContext) => Value)

/** Settings for search engines and link previews, in addition to the title and description. */
export type HeadSettings = {
  /** the page's path, including query parameters that select another page; the default is the path without a query */
  canonical?: Setting<string>
  /** excludes the page from search engines; its head then has only a title and a description */
  noindex?: boolean
  preview?: Setting<Preview>
  structuredData?: Setting<StructuredData[]>
  feed?: Setting<FeedPage | null>
  podcast?: Setting<Podcast | null>
}

const OWN_IMAGE = { url: '/og.png', ...CARD }
/** Link previews show narrower images beside the text, not above it. */
const LARGE_IMAGE_PX = 600

/** Returns a page's head with absolute URLs. `canonical` is null if search engines must not index the page. */
export function createHead(pageContext: PageContext) {
  const { config, siteUrl = '', site, urlPathname, data } = pageContext
  const absolute = (path: string) => `${siteUrl}${path}`
  // If the data did not load, the page shows an error, which search engines must not index.
  const failed = isFailed(data)
  const noindex = config.noindex === true || failed
  const read = <Value>(setting: Setting<Value> | undefined) =>
    failed ? undefined : typeof setting === 'function' ? (setting as (of: PageContext) => Value)(pageContext) : setting

  const { image, article } = read(config.preview) ?? {}
  const shown = image ?? { ...OWN_IMAGE, alt: `${site.name}. ${site.tagline}` }
  const feed = read(config.feed)
  const podcast = read(config.podcast)
  return {
    noindex,
    canonical: noindex ? null : absolute(read(config.canonical) ?? urlPathname),
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
    structuredData: noindex ? [] : (read(config.structuredData) ?? []).map(jsonForScript),
  }
}
