import { useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#src/i18n/t.ts'
import { placeBeside } from '#src/lib/placeBeside.ts'
import { QuotedPost } from './QuotedPost.tsx'
import { inlinePosts, type Preview, previews } from './quoteStores.ts'
import styles from './reading.module.css'

type PreviewsProps = { boardId: string | undefined; threadId: number | undefined }

/** Shows the posts of quote links: in cards over the page, and in place. */
export function Previews(page: PreviewsProps) {
  const cards = previews.useValue()
  return (
    <>
      {inlinePosts.useValue().map(({ id, place, key }) =>
        createPortal(
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
          <div className={styles.inline} role="group" aria-label={t('ui.postNumber', { id })}>
            <QuotedPost id={id} {...page} />
          </div>,
          place,
          key,
        ),
      )}
      {cards.map((preview, index) => (
        <PreviewCard key={preview.key} preview={preview} index={index} page={page} />
      ))}
    </>
  )
}

const GAP_PX = 6

type PreviewCardProps = {
  preview: Preview
  index: number
  page: { boardId: string | undefined; threadId: number | undefined }
}

/** Shows a post over the page, next to the link to it. */
function PreviewCard({ preview: { link, id }, index, page }: PreviewCardProps) {
  const card = useRef<HTMLDivElement>(null)
  const cardId = useId()

  useLayoutEffect(() => {
    const element = card.current
    if (!element) return
    // Tab continues in the card of its source.
    element.showPopover({ source: link })
    link.setAttribute('aria-describedby', element.id)
    const update = () => placeBeside(element, link.getBoundingClientRect(), GAP_PX)
    const observer = new ResizeObserver(update)
    observer.observe(element)
    window.addEventListener('resize', update)
    update()
    return () => {
      element.hidePopover()
      link.removeAttribute('aria-describedby')
      observer.disconnect()
      window.removeEventListener('resize', update)
    }
  }, [link])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      ref={card}
      id={cardId}
      className={`pop ${styles.card}`}
      popover="manual"
      role="group"
      aria-label={t('board.previewOf', { id })}
      data-card={index}
    >
      <QuotedPost id={id} {...page} />
    </div>
  )
}
