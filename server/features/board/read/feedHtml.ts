import { escapeXml } from '#server/core/http/escapeXml.ts'
import { boardPath } from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'
import { type BoardLink, type PostView, picturesOf } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { HIDDEN_SPOILER } from '#src/lib/excerpt.ts'
import { type Inline, parseMarkup } from '#src/lib/markup.ts'

/** Renders a post as HTML for feed readers, with absolute URLs. */
export function renderPostHtml(post: PostView, siteUrl: string): string {
  if (post.deleted) return `<p>${escapeXml(t('board.deletedByAuthor'))}</p>`
  const { id, content, quotes, links, spoiler, boardLinks } = post
  const targets = new Map(quotes.map((quote) => [quote.id, quote]))

  const inline = (node: Inline): string => {
    // Feed readers cannot hide text until a click.
    if (node.kind === 'spoiler') return node.continued ? '' : HIDDEN_SPOILER
    if (node.kind === 'break') return '<br>'
    if (node.kind === 'link') return anchor(node.href, node.text)
    if (node.kind === 'text') return escapeXml(node.text)
    if (node.kind === 'code') return `<code>${escapeXml(node.text)}</code>`
    if (node.kind === 'boardLink') {
      const target = boardLinks?.find(({ text }) => text === node.text)
      return target ? anchor(`${siteUrl}${boardLinkPath(target)}`, node.text) : escapeXml(node.text)
    }
    const target = targets.get(node.id)
    const text = `>>${node.id}`
    if (!target) return escapeXml(text)
    return anchor(`${siteUrl}${threadPath(target.boardId, target.threadId)}#p${node.id}`, text)
  }

  const blocks = parseMarkup(content).map((block) => {
    if (block.kind === 'code') return `<pre><code>${escapeXml(block.text)}</code></pre>`
    const text = `<p>${block.children.map(inline).join('')}</p>`
    return block.kind === 'quote' ? `<blockquote>${text}</blockquote>` : text
  })
  const listed = links.map((url) => `<li>${anchor(url, url)}</li>`)
  return [
    ...blocks,
    ...(listed.length > 0 ? [`<ul>${listed.join('')}</ul>`] : []),
    ...picturesOf(post).map((picture) => (spoiler ? spoilerLink : figure)(picture, id, siteUrl)),
    ...(post.note ? [`<p><strong>(${escapeXml(post.note)})</strong></p>`] : []),
  ].join('')
}

const boardLinkPath = ({ boardId, threadId, id }: BoardLink) =>
  threadId === undefined ? boardPath(boardId) : `${threadPath(boardId, threadId)}#p${id}`

const anchor = (href: string, text: string) =>
  `<a href="${escapeXml(href)}" rel="nofollow ugc noopener">${escapeXml(text)}</a>`

/** Feed readers cannot cover an image. */
const spoilerLink = ({ url }: ImageView, id: number, siteUrl: string) =>
  `<p>${anchor(`${siteUrl}${url}`, `${HIDDEN_SPOILER} ${t('feed.picture', { id })}`)}</p>`

function figure({ url, display }: ImageView, id: number, siteUrl: string): string {
  const { width, height } = display
  const image = `<img src="${siteUrl}${display.url}" width="${width}" height="${height}" alt="${escapeXml(t('feed.picture', { id }))}">`
  return `<p><a href="${siteUrl}${url}">${image}</a></p>`
}
