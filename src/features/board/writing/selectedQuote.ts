import type { ThreadHead } from '#src/contract/thread.ts'
import { authorOf, commentOf, findPost, idOf } from '#src/features/board/post/postElements.ts'
import type { PostLocation } from './postLocation.ts'
import type { WritePost } from './usePostDialog.tsx'

/** Text of a post that the reader has selected. */
export type SelectedQuote = { id: number; text: string; range: Range; location: PostLocation }

/** Returns the selected text if all of it belongs to one post of the thread. */
export function findSelectedQuote(thread: ThreadHead): SelectedQuote | null {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const start = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement
  const content = start?.closest('main article[id^=p] .text')
  // Posts that are shown in place are inside another post.
  const post = content?.closest('article, [role=group]')
  if (!content || !post?.id || !endsWithin(range, content)) return null
  const id = Number(post.id.slice(1))
  const location = findLocation(thread, id)
  const text = selection.toString().trim()
  return location && text !== '' ? { id, text, range, location } : null
}

/** A triple click selects a paragraph up to the beginning of the next element. */
function endsWithin(range: Range, content: Element): boolean {
  if (content.contains(range.endContainer)) return true
  const rest = range.cloneRange()
  rest.setStart(content, content.childNodes.length)
  return rest.toString().trim() === ''
}

function findLocation({ boardId, id: threadId }: ThreadHead, id: number): PostLocation | null {
  if (id === threadId) return { kind: 'comment', boardId, threadId }
  const post = findPost(id)
  const comment = post && commentOf(post)
  return comment ? { kind: 'reply', boardId, threadId, commentId: idOf(comment), author: authorOf(comment) } : null
}

/** Opens the form with the selected text as a quote. */
export function quoteSelection(thread: ThreadHead, write: WritePost): void {
  const quote = findSelectedQuote(thread)
  if (!quote) return
  getSelection()?.removeAllRanges()
  write(quote.location, quote.id, quote.text)
}
