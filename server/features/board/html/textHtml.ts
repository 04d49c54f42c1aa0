import { escapeHtml } from '#server/core/http/escapeXml.ts'
import { boardPath } from '#src/contract/board.ts'
import type { LinkCard } from '#src/contract/links.ts'
import type { BoardLink, PostRef, PostView } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { renderHighlights } from '#src/lib/highlightRuns.ts'
import { type Inline, parseMarkup, type Spoiler } from '#src/lib/markup.ts'
import { richHtml, timeHtml } from './valueHtml.ts'

type PostText = Pick<PostView, 'content' | 'quotes' | 'highlights' | 'cards' | 'boardLinks'>

/**
 * Renders the text of a post: paragraphs, quotes, spoilers and code, then cards of the items that it links to.
 * @param threadId the thread whose page shows the post; links to its posts have no path
 */
export function textHtml(post: PostText, threadId: number | undefined): string {
  const { content, quotes, highlights, cards, boardLinks } = post
  const targets = new Map(quotes.map((quote) => [quote.id, quote]))

  const inline = (node: Inline): string => {
    if (node.kind === 'text') return escapeHtml(node.text)
    if (node.kind === 'break') return '<br>'
    if (node.kind === 'code') return `<code translate=no>${escapeHtml(node.text)}</code>`
    if (node.kind === 'spoiler') return spoilerHtml(node, node.children.map(inline).join(''))
    if (node.kind === 'link')
      return `<a href="${escapeHtml(node.href)}" rel="nofollow ugc noopener" target=_blank>${escapeHtml(node.text)}</a>`
    if (node.kind === 'boardLink') {
      const target = boardLinks?.find(({ text }) => text === node.text)
      const text = escapeHtml(node.text)
      return target ? `<a class=quote href=${boardLinkHref(target, threadId)}>${text}</a>` : text
    }
    const target = targets.get(node.id)
    return target ? `<a class=quote href=${postHref(target, threadId)}>&gt;&gt;${node.id}</a>` : `&gt;&gt;${node.id}`
  }

  let code = 0
  const blocks = parseMarkup(content).map((block) => {
    if (block.kind === 'code') return codeHtml(block.language, renderHighlights(block.text, highlights?.[code++] ?? []))
    return `<p${block.kind === 'quote' ? ' class=greentext' : ''}>${block.children.map(inline).join('')}</p>`
  })
  return `<div class=text>${blocks.join('')}${cards ? cardsHtml(cards) : ''}</div>`
}

/** Returns the link to a post. */
export const postHref = ({ id, threadId, boardId }: PostRef, pageThreadId: number | undefined): string =>
  `${threadId === pageThreadId ? '' : escapeHtml(threadPath(boardId, threadId))}#p${id}`

const boardLinkHref = ({ boardId, threadId, id }: BoardLink, pageThreadId: number | undefined) =>
  threadId === undefined || id === undefined
    ? escapeHtml(boardPath(boardId))
    : postHref({ boardId, threadId, id }, pageThreadId)

/** Hides text from sight, tab order and screen readers until hover, a tap or the button reveals it. */
function spoilerHtml({ id, continued }: Spoiler, children: string): string {
  const button = `<button type=button aria-label="${escapeHtml(t('board.spoiler'))}" aria-expanded=false></button>`
  return `<span class=spoiler data-spoiler=${id}>${continued ? '' : button}<span>${children}</span></span>`
}

/** Scrolling by keyboard needs focus. */
const codeHtml = (language: string, code: string) =>
  `<figure class=code><figcaption>${escapeHtml(language || t('board.code'))}</figcaption><pre tabindex=0 translate=no><code>${code}</code></pre></figure>`

const KINDS = {
  paste: () => t('paste.paste'),
  image: () => t('image.sharedImage'),
  program: () => t('board.program'),
  broadcast: () => t('board.recordedShow'),
} satisfies Record<LinkCard['kind'], () => string>

const cardsHtml = (cards: LinkCard[]) =>
  `<ul class=cards>${cards
    .map((card) => {
      const picture = card.kind === 'image' ? pictureHtml(card.preview) : ''
      const label = `<span class=label>${escapeHtml(KINDS[card.kind]())}</span>`
      return `<li><a href="${escapeHtml(card.path)}">${picture}<span class=card-text>${label} ${cardText(card)}</span></a></li>`
    })
    .join('')}</ul>`

const pictureHtml = ({ url, width, height }: { url: string; width: number; height: number }) =>
  `<img src="${url}" width=${width} height=${height} alt="" loading=lazy>`

function cardText(card: LinkCard): string {
  const name = (text: string) => `<strong dir=auto>${escapeHtml(text)}</strong>`
  if (card.kind === 'program')
    return `${name(card.name)} <span class=note dir=auto>${escapeHtml(card.description)}</span>`
  if (card.kind === 'broadcast') {
    const by = card.title === null ? '' : `${escapeHtml(card.streamer)} · `
    return `${name(card.title ?? card.streamer)} <span class=data>${by}${timeHtml(card.startedAt)}</span>`
  }
  const expires = richHtml('board.cardExpires', { size: formatBytes(card.bytes), time: () => timeHtml(card.expiresAt) })
  return `<span class=data>${expires}</span>`
}
