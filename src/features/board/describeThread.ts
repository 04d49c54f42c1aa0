import type { ThreadView } from '#src/contract/board.ts'
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
}: Omit<ThreadView, 'comments'>): string {
  const text = excerpt(content, MAX_CHARACTERS)
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters >= MIN_LETTERS) return text
  const comments = `${commentCount} ${commentCount === 1 ? 'comment' : 'comments'}`
  const about = `A thread on /${boardId}/ by ${author}, ${picture ? `a picture and ${comments}` : `with ${comments}`}.`
  return letters > 0 ? `${text} - ${about}` : about
}
