import { boardMessages, type ThreadView } from '#src/contract/board.ts'

/** Returns why a thread takes no posts of visitors, or null if it does. */
export function closedText({ archived, locked }: Pick<ThreadView, 'archived' | 'locked'>): string | null {
  if (archived) return boardMessages.threadArchived
  return locked ? boardMessages.threadLocked : null
}
