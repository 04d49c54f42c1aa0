import { createPortal } from 'react-dom'
import { t } from '#src/i18n/t.ts'
import { PreviewCard } from './PreviewCard.tsx'
import styles from './Previews.module.css'
import { QuotedPost } from './QuotedPost.tsx'
import { inlinePosts, previews } from './quoteStores.ts'

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
