import { decodeHtml } from '#server/features/news/feed/xml/charset.ts'
import { readHtml } from './readHtml.ts'
import { resolveUrl } from './urls.ts'

/** Limits the bytes read per page. A `head` usually has a few kB. */
export const MAX_PAGE_BYTES = 256 * 1024

/** Best first. Pages mix up the attributes `name` and `property`, so the server reads both. */
const PROPERTIES = [
  'og:image:secure_url',
  'og:image',
  'og:image:url',
  'twitter:image',
  'twitter:image:src',
  'image_src',
]

/** Returns the preview image that a page declares, such as `og:image`. @param bytes may be truncated */
export function findPageImage(
  bytes: Uint8Array,
  { contentType, url }: { contentType?: string | undefined; url: URL },
): string | null {
  const declared: { property: string; value: string }[] = []
  let base: URL | null = null
  readHtml(decodeHtml(bytes.subarray(0, MAX_PAGE_BYTES), contentType), {
    tag: ({ name, attributes, closing }) => {
      if (name === (closing ? 'head' : 'body')) return false
      if (name === 'base' && !closing) base ??= resolveUrl(attributes.get('href'), url)
      for (const property of getProperties(name, attributes)) {
        declared.push({ property, value: attributes.get(name === 'meta' ? 'content' : 'href') ?? '' })
      }
      return true
    },
  })
  for (const wanted of PROPERTIES) {
    for (const { property, value } of declared) {
      const image = property === wanted ? resolveUrl(value, base ?? url) : null
      if (image) return image.href
    }
  }
  return null
}

function getProperties(name: string, attributes: ReadonlyMap<string, string>): string[] {
  const names = name === 'meta' ? ['property', 'name'] : name === 'link' ? ['rel'] : []
  return names.flatMap((attribute) => (attributes.get(attribute) ?? '').toLowerCase().split(/\s+/))
}
