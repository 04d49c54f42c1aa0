import { Images } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { listImages, type PostImage } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { buttonClass } from '#src/ui/Button.tsx'

/** An image that is shown in place of its thumbnail. */
type EnlargedImage = { image: PostImage; link: HTMLAnchorElement; caption: Element; restore: () => void }

/** Enlarges an image of the thread in place on a click, and back on the next one. Enlarged images lead to the viewer. */
export function EnlargedImages({ onView }: { onView: (image: PostImage) => void }) {
  const [enlarged, setEnlarged] = useState<readonly EnlargedImage[]>([])

  const onClick = useEffectEvent((event: MouseEvent) => {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event
    if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey || altKey) return
    const link = target.closest<HTMLAnchorElement>('main .frame')
    const thumbnail = link?.querySelector('img')
    const caption = link?.closest('figure')?.querySelector('figcaption')
    const image = listImages().find(({ url }) => url === link?.getAttribute('href'))
    if (!link || !thumbnail || !caption || !image) return
    event.preventDefault()
    const open = enlarged.find((one) => one.link === link)
    // A post can be removed while its image is enlarged.
    const others = enlarged.filter((one) => one !== open && one.link.isConnected)
    open?.restore()
    setEnlarged(open ? others : [...others, { image, link, caption, restore: enlarge(link, thumbnail, image) }])
  })

  useEffect(() => {
    const listen = (event: MouseEvent) => onClick(event)
    document.addEventListener('click', listen, true)
    return () => document.removeEventListener('click', listen, true)
  }, [])

  return enlarged.map(({ image, caption }) =>
    createPortal(
      <button type="button" className={buttonClass({ variant: 'text', size: 'small' })} onClick={() => onView(image)}>
        <Images className="icon icon-s" />
        {t('board.viewAll')}
      </button>,
      caption,
      image.url,
    ),
  )
}

/**
 * Shows the full image in the element of the thumbnail, so that the page moves once: its size is known before it loads.
 * @returns a function that shows the thumbnail again
 */
function enlarge(link: HTMLAnchorElement, img: HTMLImageElement, { url, width, height }: PostImage): () => void {
  const full = { src: url, width: String(width), height: String(height) }
  const small = Object.keys(full).map((name) => [name, img.getAttribute(name) ?? ''] as const)
  for (const [name, value] of Object.entries(full)) img.setAttribute(name, value)
  link.ariaExpanded = 'true'
  return () => {
    for (const [name, value] of small) img.setAttribute(name, value)
    link.ariaExpanded = 'false'
    // The end of a tall image is far below its beginning.
    link.scrollIntoView({ block: 'nearest' })
  }
}
