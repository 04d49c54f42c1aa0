import type { ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { excerpt } from '#src/lib/excerpt.ts'

const MAX_CHARACTERS = 160
/** A shorter text does not show what the thread is about. */
const MIN_LETTERS = 50

/** Describes a thread by the beginning of its text. Adds author, image and comments to a short text. */
export function describeThread({
  content,
  author,
  boardId,
  picture,
  commentCount,
  deleted,
}: Omit<ThreadView, 'comments'>): string {
  const text = excerpt(content, MAX_CHARACTERS)
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters >= MIN_LETTERS) return text
  if (deleted) return t('board.threadAboutDeleted', { board: boardId, count: commentCount })
  const values = { board: boardId, author, count: commentCount }
  const about = picture ? t('board.threadAboutPicture', values) : t('board.threadAbout', values)
  return letters > 0 ? `${text} - ${about}` : about
}
