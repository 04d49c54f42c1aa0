import type { ThreadFlags, ThreadView } from '#src/contract/thread.ts'
import '#src/features/board/post/post.css'
import { t } from '#src/i18n/t.ts'

type MarkedThread = ThreadFlags & Partial<Pick<ThreadView, 'archived'>>

/** Shows what moderators set for a thread, and whether it is archived. */
export function ThreadMarks({ thread: { pinned, locked, bumplocked, cyclical, archived } }: { thread: MarkedThread }) {
  if (!pinned && !locked && !bumplocked && !cyclical && !archived) return null
  return (
    <p className="marks">
      {pinned && <span>{t('board.pinned')}</span>} {locked && <span>{t('board.locked')}</span>}{' '}
      {bumplocked && <span>{t('board.bumplocked')}</span>} {cyclical && <span>{t('board.cyclical')}</span>}{' '}
      {archived && <span>{t('board.archived')}</span>}
    </p>
  )
}
