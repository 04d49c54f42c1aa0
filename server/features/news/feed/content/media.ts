import {
  attribute,
  baseUrlOf,
  childElements,
  getLinks,
  innerHtml,
  textContent,
} from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'
import { findFirstImage, type ImageSize, isArticleImage, isImageFile, isThumbnail, sortableWidth } from './images.ts'
import { resolveUrl } from './urls.ts'

/** Limits the media per entry, because a hostile feed may have thousands. */
const MAX_MEDIA = 30

/**
 * Yields the image URLs of an entry, best first: media elements, enclosures, podcast and image elements, the first
 * image in the texts, small thumbnails.
 * @param texts elements whose HTML is searched, in this order
 */
export function* findEntryImages(entry: XmlElement, documentBase: URL, texts: string[]): Generator<URL> {
  const resolve = (element: XmlElement, written: string | undefined) =>
    resolveUrl(written, baseUrlOf(element, documentBase))
  const media = collectMedia(entry).sort(
    (a, b) => sortableWidth(attribute(b, 'width')) - sortableWidth(attribute(a, 'width')),
  )
  const narrow: URL[] = []
  for (const name of ['media:content', 'media:thumbnail']) {
    for (const element of media) {
      if (element.name !== name) continue
      const url = resolve(element, attribute(element, 'url'))
      if (!url || !isArticleImage(url, sizeOf(element)) || !isImage(element, url)) continue
      if (isThumbnail(attribute(element, 'width'))) narrow.push(url)
      else yield url
    }
  }
  for (const element of childElements(entry, 'enclosure')) {
    const url = resolve(element, attribute(element, 'url') ?? textContent(element))
    if (url && isImageFile(url, attribute(element, 'type')) && isArticleImage(url)) yield url
  }
  for (const { element, href, rel, type } of getLinks(entry)) {
    const url = rel === 'enclosure' ? resolve(element, href) : null
    if (url && isImageFile(url, type) && isArticleImage(url)) yield url
  }
  for (const element of childElements(entry, 'itunes:image', 'googleplay:image', 'image')) {
    const [nested] = childElements(element, 'url')
    const named = attribute(element, 'href') ?? attribute(element, 'url') ?? attribute(element, 'resource')
    const url = resolve(element, named ?? textContent(nested ?? element))
    if (url && isArticleImage(url)) yield url
  }
  const shown = findTextImage(entry, documentBase, texts)
  if (shown) yield shown
  yield* narrow
}

function collectMedia(entry: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const element of childElements(entry, 'media:group', 'media:content', 'media:thumbnail')) {
    if (found.length >= MAX_MEDIA) break
    if (element.name !== 'media:group') found.push(element)
    collectMedia(element, found)
  }
  return found
}

const isImage = (element: XmlElement, url: URL) =>
  element.name === 'media:thumbnail' || isImageFile(url, attribute(element, 'type'), attribute(element, 'medium'))

const sizeOf = (element: XmlElement): ImageSize => ({
  width: attribute(element, 'width'),
  height: attribute(element, 'height'),
})

function findTextImage(entry: XmlElement, documentBase: URL, names: string[]): URL | null {
  for (const name of names) {
    for (const element of childElements(entry, name)) {
      // In XHTML, text nodes are plain text. In other types, they may be escaped HTML.
      const text = /xhtml/i.test(attribute(element, 'type') ?? '') ? 'text' : 'html'
      const image = findFirstImage(innerHtml(element, text), baseUrlOf(element, documentBase))
      if (image) return image
    }
  }
  return null
}
