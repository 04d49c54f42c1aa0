import type { ThreadHead } from '#src/contract/thread.ts'
import { authorOf, commentOf, findPost, idOf } from '#src/features/board/post/postElements.ts'
import type { PostLocation } from './postLocation.ts'
import type { WritePost } from './usePostDialog.tsx'

/** Text of a post that the reader has selected, as lines of quotes. */
export type SelectedQuote = { id: number; lines: string; range: Range; location: PostLocation }

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
  const lines = quoteLines(content, range)
  return location && lines !== '' ? { id, lines, range, location } : null
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

type Piece = { text: string; isCode: boolean; isSpoiler: boolean }

/** The label and button of code, buttons of spoilers, cards of links, and posts that are shown in place. */
const NOT_WRITTEN = 'figcaption, button, ul, [role=group]'

/** Writes the selected text as the post's author did: spoilers stay hidden, and code stays literal. */
function quoteLines(content: Element, range: Range): string {
  const lines: Piece[][] = [[]]
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    range.intersectsNode(node) && !(node instanceof Element && node.matches(NOT_WRITTEN))
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  )
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    if (node instanceof Element) {
      if (node.matches('p, br, pre')) lines.push([])
      continue
    }
    const isCode = node.parentElement?.closest('code') != null
    const isSpoiler = node.parentElement?.closest('.spoiler') != null
    const end = node === range.endContainer ? range.endOffset : undefined
    const selected = (node.textContent ?? '').slice(node === range.startContainer ? range.startOffset : 0, end)
    for (const [at, text] of selected.split('\n').entries()) {
      if (at > 0) lines.push([])
      lines.at(-1)?.push({ text, isCode, isSpoiler })
    }
  }
  return lines
    .map(writeLine)
    .filter((line) => line.trim() !== '')
    .map(quoteLine)
    .join('')
}

/** A spoiler ends with its line, because the next line can begin outside it. */
function writeLine(pieces: Piece[]): string {
  let line = ''
  let code = ''
  let inSpoiler = false
  for (const { text, isCode, isSpoiler } of [...pieces, { text: '', isCode: false, isSpoiler: false }]) {
    if (!isCode || isSpoiler !== inSpoiler) {
      line += writeCode(code)
      code = ''
    }
    if (isSpoiler !== inSpoiler) line += inSpoiler ? '[/spoiler]' : '[spoiler]'
    inSpoiler = isSpoiler
    if (isCode) code += text
    else line += text
  }
  return line
}

/** Code cannot begin with a space or contain a backtick. */
function writeCode(code: string): string {
  const text = code.trim()
  return text === '' || text.includes('`') || text.startsWith(')') ? code : code.replace(text, () => `\`${text}\``)
}

/** The space keeps a quoted `>5` from becoming a link to a post. */
const quoteLine = (line: string) => (/^>(\d|>\/)/.test(line) ? `> ${line}\n` : `>${line}\n`)

/** Opens the form with the selected text as a quote. */
export function quoteSelection(thread: ThreadHead, write: WritePost): void {
  const quote = findSelectedQuote(thread)
  if (!quote) return
  getSelection()?.removeAllRanges()
  write(quote.location, quote.id, quote.lines)
}
