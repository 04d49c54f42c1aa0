import { decodePage } from '#server/features/news/feed/xml/charset.ts'
import { readHtml } from './readHtml.ts'
import { webAddress } from './urls.ts'

/** As much of a page is looked at: a head is a few kB; who hides it behind more does not want it found. */
export const PAGE_BYTES = 256 * 1024

/** Best first; a name counts as property and the other way round, for pages mix them up. */
const PROPERTIES = [
  'og:image:secure_url',
  'og:image',
  'og:image:url',
  'twitter:image',
  'twitter:image:src',
  'image_src',
]

/**
 * The picture an article's own page names for being shown elsewhere (og:image and its kin), absolute, or null.
 * @param bytes the page, or its beginning
 */
export function readPageImage(
  bytes: Uint8Array,
  { contentType, url }: { contentType?: string | undefined; url: URL },
): string | null {
  const named: { property: string; address: string }[] = []
  let base: URL | null = null
  readHtml(decodePage(bytes.subarray(0, PAGE_BYTES), contentType), {
    tag: ({ name, attributes, closing }) => {
      if (name === (closing ? 'head' : 'body')) return false
      if (name === 'base' && !closing) base ??= webAddress(attributes.get('href'), url)
      for (const property of propertiesOf(name, attributes)) {
        named.push({ property, address: attributes.get(name === 'meta' ? 'content' : 'href') ?? '' })
      }
      return true
    },
  })
  for (const wanted of PROPERTIES) {
    for (const { property, address } of named) {
      const image = property === wanted ? webAddress(address, base ?? url) : null
      if (image) return image.href
    }
  }
  return null
}

/** What a `meta` or a `link` is about. */
function propertiesOf(name: string, attributes: ReadonlyMap<string, string>): string[] {
  const names = name === 'meta' ? ['property', 'name'] : name === 'link' ? ['rel'] : []
  return names.flatMap((attribute) => (attributes.get(attribute) ?? '').toLowerCase().split(/\s+/))
}
