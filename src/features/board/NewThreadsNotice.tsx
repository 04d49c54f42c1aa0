import { ArrowUp } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import { focusOn } from '#src/ui/focus.ts'
import type { BoardList } from './merge.ts'
import styles from './NewThreadsNotice.module.css'

type NewThreadsNoticeProps = Pick<BoardList, 'threads' | 'waiting'> & { onShow: () => void }

/** A key for the threads that came up while the page was shown; said aloud when it appears. */
export function NewThreadsNotice({ threads, waiting, onShow }: NewThreadsNoticeProps) {
  const newest = Math.max(0, ...threads.map((thread) => thread.id))
  // threads made since are new, others came up from an older page
  const word = waiting.every((thread) => thread.id > newest) ? 'new' : 'active'

  /** The key goes with what it shows: the focus goes on to the first of them. */
  function show() {
    onShow()
    requestAnimationFrame(() => focusOn(document.querySelector('article')))
  }

  return (
    <div className={styles.waiting} role="status">
      {waiting.length > 0 && (
        <Button size="small" onClick={show}>
          <ArrowUp className="icon icon-s" />
          Show {waiting.length} {word} {waiting.length === 1 ? 'thread' : 'threads'}
        </Button>
      )}
    </div>
  )
}
