import { ArrowUp } from 'lucide-react'
import { listHideable } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import postList from './postList.module.css'
import type { useList } from './useList.ts'

type NewThreadsNoticeProps = { list: Pick<ReturnType<typeof useList>, 'waiting' | 'areNew' | 'showNew'> }

export function NewThreadsNotice({ list: { waiting: count, areNew, showNew } }: NewThreadsNoticeProps) {
  /** Moves the focus to the first thread that a filter does not hide, because the button disappears. */
  function show() {
    showNew()
    requestAnimationFrame(() => {
      focusOn(listHideable().find((thread) => thread.checkVisibility()) ?? null)
    })
  }

  return (
    <div className={postList.newThreads} role="status">
      {count > 0 && (
        <Button size="small" onClick={show}>
          <ArrowUp className="icon icon-s" />
          {areNew ? t('board.showNewThreads', { count }) : t('board.showActiveThreads', { count })}
        </Button>
      )}
    </div>
  )
}
