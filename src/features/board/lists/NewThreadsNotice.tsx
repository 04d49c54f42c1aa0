import { ArrowUp } from 'lucide-react'
import type { ListedThread } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './NewThreadsNotice.module.css'

type Listed = Pick<ListedThread, 'id'>
type NewThreadsNoticeProps = { threads: Listed[]; newThreads: Listed[]; onShow: () => void }

export function NewThreadsNotice({ threads, newThreads, onShow }: NewThreadsNoticeProps) {
  const newest = Math.max(0, ...threads.map((thread) => thread.id))
  // Threads with lower ids are not new: a comment moved them up from a later page.
  const areNew = newThreads.every((thread) => thread.id > newest)
  const count = newThreads.length

  /** Moves the focus to the first thread, because the button disappears. */
  function show() {
    onShow()
    requestAnimationFrame(() => focusOn(document.querySelector('article')))
  }

  return (
    <div className={styles.notice} role="status">
      {count > 0 && (
        <Button size="small" onClick={show}>
          <ArrowUp className="icon icon-s" />
          {areNew ? t('board.showNewThreads', { count }) : t('board.showActiveThreads', { count })}
        </Button>
      )}
    </div>
  )
}
