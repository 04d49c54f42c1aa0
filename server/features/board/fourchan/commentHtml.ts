import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { BoardLink, PostRef } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { type Block, type Inline, parseMarkup } from '#src/lib/markup.ts'

type Comment = {
  content: string
  links: string[]
  threadId: number
  /** the comment that this reply answers; null for all other posts */
  parentId: number | null
  stub?: boolean
  note?: string | null
  boardLinks?: BoardLink[] | undefined
}

/** Returns the URLs of other threads, and of boards. */
export type Urls = { thread: (post: Omit<PostRef, 'id'>) => string; board: (boardId: string) => string }

/**
 * Renders a post as 4chan does. A reply begins with a link to its comment, unless its text links to it.
 * @param quotes existing posts that the text links to
 */
export function renderComment(
  { content, links, threadId, parentId, stub, note, boardLinks = [] }: Comment,
  quotes: PostRef[],
  urls: Urls,
): string {
  if (stub) return escapeXml(t('board.deletedByAuthor'))
  const targets = new Map(quotes.map((quote) => [quote.id, quote]))
  const linked = new Set<number>()

  const inline = (node: Inline): string => {
    if (node.kind === 'spoiler') return `<s>${node.children.map(inline).join('')}</s>`
    if (node.kind === 'break') return '<br>'
    if (node.kind === 'link') return anchor(node.href, node.text)
    if (node.kind === 'text') return escapeXml(node.text)
    if (node.kind === 'code') return `<code>${codeLines(node.text)}</code>`
    if (node.kind === 'boardLink') {
      const found = boardLinks.find(({ text }) => text === node.text)
      return found ? boardLink(found, threadId, urls) : escapeXml(node.text)
    }
    linked.add(node.id)
    const target = targets.get(node.id)
    if (!target) return `<span class="deadlink">&gt;&gt;${node.id}</span>`
    return quoteLink(node.id, target.threadId === threadId ? '' : urls.thread(target))
  }

  let html = ''
  let previous: string | undefined
  const render = (block: Block): string => {
    if (block.kind === 'code') return `<pre class="prettyprint">${codeLines(block.text)}</pre>`
    const text = block.children.map(inline).join('')
    return block.kind === 'quote' ? `<span class="quote">${text}</span>` : text
  }
  for (const block of parseMarkup(content)) {
    if (previous !== undefined) html += previous === block.kind ? '<br><br>' : '<br>'
    html += render(block)
    previous = block.kind
  }
  const answered = parentId === null || linked.has(parentId) ? '' : `${quoteLink(parentId, '')}<br>`
  const listed = links.map((url) => `<br>${anchor(url, url)}`).join('')
  // As pages of vichan show it.
  const noted = !note ? '' : `<br><br><span class="public_ban">(${escapeXml(note)})</span>`
  return `${answered}${html}${listed && `<br>${listed}`}${noted}`
}

const codeLines = (text: string) => escapeXml(text).replaceAll('\n', '<br>')

const quoteLink = (id: number, page: string) =>
  `<a href="${escapeXml(page)}#p${id}" class="quotelink">&gt;&gt;${id}</a>`

function boardLink({ text, boardId, threadId, id }: BoardLink, own: number, urls: Urls): string {
  const page = threadId === undefined ? urls.board(boardId) : threadId === own ? '' : urls.thread({ boardId, threadId })
  const href = id === undefined ? page : `${page}#p${id}`
  return `<a href="${escapeXml(href)}" class="quotelink">${escapeXml(text)}</a>`
}

const anchor = (href: string, text: string) =>
  `<a href="${escapeXml(href)}" rel="nofollow ugc noopener">${escapeXml(text)}</a>`
