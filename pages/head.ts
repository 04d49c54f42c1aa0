import type { PageContext } from 'vike/types'
import { imageTypeOf } from '#src/contract/image.ts'
import { jsonForScript, type StructuredData } from '#src/lib/structuredData.ts'
import { isFailed } from './load.ts'

/** A picture of this site: a path, and the pixels of that file. */
export type PreviewImage = { url: string; width: number; height: number; alt: string }
/** How a link to a page looks elsewhere: its own picture, and for what somebody wrote when and where that was. */
export type Preview = {
  image?: PreviewImage | undefined
  article?: { published: Date; modified: Date; section: string }
}
/** A page's Atom feed: a path, and a title that tells it from other feeds. */
export type AtomFeed = { href: string; title: string }

type Setting<Value> = Value | ((pageContext: PageContext) => Value)

/** What a page says of itself to search engines and link previews, besides title and description. */
export type HeadSettings = {
  /** the one path of the page, with those parts of a query that make another page; by default the path alone */
  canonical?: Setting<string>
  /** kept out of every index; nothing more is told of such a page than title and description */
  noindex?: boolean
  preview?: Setting<Preview>
  /** schema.org, from the bottom of the site's origin */
  structuredData?: Setting<StructuredData[]>
  atomFeed?: Setting<AtomFeed | null>
}

/** Names no site, for the name is a setting. */
const OWN_IMAGE = { url: '/og.png', width: 1200, height: 630 }
/** Narrower than this a picture stands beside the text of a link preview, not above it. */
const LARGE_PX = 600

/** The head of one page, every address in it absolute; `canonical` is null where there is nothing to be found. */
export function headOf(pageContext: PageContext) {
  const { config, siteUrl = '', site, urlPathname, data } = pageContext
  const absolute = (path: string) => `${siteUrl}${path}`
  // The settings of a page are made of its data: where those could not be read it has none, and is nothing to keep.
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
    card: shown.width >= LARGE_PX ? 'summary_large_image' : 'summary',
    article,
    feed: feed && { ...feed, href: absolute(feed.href) },
    structuredData: noindex ? [] : (read(config.structuredData) ?? []).map(jsonForScript),
  }
}
