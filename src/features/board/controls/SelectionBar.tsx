import { X } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { request, selection } from './controlStores.ts'
import styles from './PostControls.module.css'

/** Offers what a moderator can do with the posters of the selected posts. */
export function SelectionBar() {
  const posts = selection.useValue()
  if (!posts) return null
  return (
    <section className={`pop cluster ${styles.bar}`} aria-label={t('board.selectedPosts')}>
      <p role="status">{t('board.selectedCount', { count: posts.length })}</p>
      <Button
        size="small"
        variant="danger"
        disabled={posts.length === 0}
        onClick={() => request.set({ kind: 'posters', posts })}
      >
        {t('board.everythingByThem')}
      </Button>
      <IconButton icon={X} label={t('ui.cancel')} onClick={() => selection.set(null)} />
    </section>
  )
}
