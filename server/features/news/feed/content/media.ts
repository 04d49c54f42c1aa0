import { attribute, baseOf, childrenNamed, innerHtml, textOf } from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'
import { firstImage, isImageFile, isNarrow, isPicture, type Size, widthOf } from './images.ts'
import { linksOf } from './links.ts'
import { webAddress } from './urls.ts'

/** Enough for a gallery, for it is the widest that counts. */
const MAX_MEDIA = 30

/**
 * Pictures of an entry, best first: media, enclosures, the image of a podcast, an image element, the first one shown
 * in its texts; thumbnails the size of a stamp behind all others.
 * @param texts names of the elements whose text is looked through, in this order
 */
export function* entryImages(entry: XmlElement, documentBase: URL, texts: string[]): Generator<URL> {
  const resolve = (element: XmlElement, written: string | undefined) =>
    webAddress(written, baseOf(element, documentBase))
  const media = mediaOf(entry).sort((a, b) => widthOf(attribute(b, 'width')) - widthOf(attribute(a, 'width')))
  const narrow: URL[] = []
  for (const name of ['media:content', 'media:thumbnail']) {
    for (const element of media) {
      if (element.name !== name) continue
      const url = resolve(element, attribute(element, 'url'))
      if (!url || !isPicture(url, sizeOf(element)) || !isImage(element, url)) continue
      if (isNarrow(attribute(element, 'width'))) narrow.push(url)
      else yield url
    }
  }
  for (const element of childrenNamed(entry, 'enclosure')) {
    const url = resolve(element, attribute(element, 'url') ?? textOf(element))
    if (url && isImageFile(url, attribute(element, 'type')) && isPicture(url)) yield url
  }
  for (const { element, href, rel, type } of linksOf(entry)) {
    const url = rel === 'enclosure' ? resolve(element, href) : null
    if (url && isImageFile(url, type) && isPicture(url)) yield url
  }
  for (const element of childrenNamed(entry, 'itunes:image', 'googleplay:image', 'image')) {
    const [nested] = childrenNamed(element, 'url')
    const named = attribute(element, 'href') ?? attribute(element, 'url') ?? attribute(element, 'resource')
    const url = resolve(element, named ?? textOf(nested ?? element))
    if (url && isPicture(url)) yield url
  }
  const shown = shownImage(entry, documentBase, texts)
  if (shown) yield shown
  yield* narrow
}

/** Media of an entry, those in groups and within each other too. */
function mediaOf(entry: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const element of childrenNamed(entry, 'media:group', 'media:content', 'media:thumbnail')) {
    if (found.length >= MAX_MEDIA) break
    if (element.name !== 'media:group') found.push(element)
    mediaOf(element, found)
  }
  return found
}

const isImage = (element: XmlElement, url: URL) =>
  element.name === 'media:thumbnail' || isImageFile(url, attribute(element, 'type'), attribute(element, 'medium'))

const sizeOf = (element: XmlElement): Size => ({
  width: attribute(element, 'width'),
  height: attribute(element, 'height'),
})

function shownImage(entry: XmlElement, documentBase: URL, names: string[]): URL | null {
  for (const name of names) {
    for (const element of childrenNamed(entry, name)) {
      // Text within XHTML is text; elsewhere naked markup and escaped markup are the same.
      const text = /xhtml/i.test(attribute(element, 'type') ?? '') ? 'text' : 'html'
      const image = firstImage(innerHtml(element, text), baseOf(element, documentBase))
      if (image) return image
    }
  }
  return null
}
