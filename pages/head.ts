import type { PageContext } from 'vike/types'
import { imageTypeOf } from '#src/contract/image.ts'
import { jsonForScript, type StructuredData } from '#src/lib/structuredData.ts'
import { isFailed } from './pageData.ts'

/** `url` is a path of this site; sizes in pixels. */
type PreviewImage = { url: string; width: number; height: number; alt: string }
/** A link preview on other sites. */
export type Preview = {
  image?: PreviewImage | undefined
  article?: { published: Date; modified: Date; section: string }
}
/** `href` is a path. */
export type AtomFeed = { href: string; title: string }

export type Setting<Value> = Value | ((pageContext: PageContext) => Value)

/** Settings for search engines and link previews, besides title and description. */
export type HeadSettings = {
  /** the path, with query parameters that select another page; by default only the path */
  canonical?: Setting<string>
  /** excludes the page from indexes; its head has only title and description */
  noindex?: boolean
  preview?: Setting<Preview>
  structuredData?: Setting<StructuredData[]>
  atomFeed?: Setting<AtomFeed | null>
}

const OWN_IMAGE = { url: '/og.png', width: 1200, height: 630 }
/** Narrower images are shown beside the text of a link preview, not above it. */
const LARGE_IMAGE_PX = 600

/** Returns a page's head with absolute URLs; `canonical` is null for pages that are not indexed. */
export function createHead(pageContext: PageContext) {
  const { config, siteUrl = '', site, urlPathname, data } = pageContext
  const absolute = (path: string) => `${siteUrl}${path}`
  // A page without data has no settings, and must not be indexed.
  const failed = isFailed(data)
  const noindex = config.noindex === true || failed
  const read = <Value>(setting: Setting<Value> | undefined) =>
    failed ? undefined : typeof setting === 'function' ? (setting as (of: PageContext) => Value)(pageContext) : setting

  const { image, article } = read(config.preview) ?? {}
  const shown = image ?? { ...OWN_IMAGE, alt: `${site.name}, the level of a sound as bars` }
  const feed = read(config.atomFeed)
  return {
    noindex,
    canonical: noindex ? null : absolute(read(config.canonical) ?? urlPathname),
    siteName: site.name,
    image: { ...shown, url: absolute(shown.url), type: imageTypeOf(shown.url) },
    card: shown.width >= LARGE_IMAGE_PX ? 'summary_large_image' : 'summary',
    article,
    feed: feed && { ...feed, href: absolute(feed.href) },
    structuredData: noindex ? [] : (read(config.structuredData) ?? []).map(jsonForScript),
  }
}
