import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

type MarkedThread = Pick<ThreadView, 'pinned' | 'locked'> & Partial<Pick<ThreadView, 'archived'>>

/** Shows whether a thread is pinned, locked or archived. */
export function ThreadMarks({ thread: { pinned, locked, archived } }: { thread: MarkedThread }) {
  if (!pinned && !locked && !archived) return null
  return (
    <p className="marks">
      {pinned && <span>{t('board.pinned')}</span>} {locked && <span>{t('board.locked')}</span>}{' '}
      {archived && <span>{t('board.archived')}</span>}
    </p>
  )
}
