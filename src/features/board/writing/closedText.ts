import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

/** Returns why a thread takes no posts of visitors, or null if it does. */
export function closedText({ archived, locked }: Pick<ThreadView, 'archived' | 'locked'>): string | null {
  if (archived) return t('board.threadArchived')
  return locked ? t('board.threadLocked') : null
}
