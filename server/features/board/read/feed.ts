import { desc, eq } from 'drizzle-orm'
import { livePost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { Feed, FeedEntry } from '#server/core/http/feed.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { findThread, postColumns } from '#server/features/board/read/queries.ts'
import { listThreads } from '#server/features/board/read/threadLists.ts'
import { postView } from '#server/features/board/read/view.ts'
import { signatureOf } from '#src/contract/authorName.ts'
import { boardPath } from '#src/contract/board.ts'
import { type ImageView, imageTypeOf } from '#src/contract/image.ts'
import { type PostView, picturesOf } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { HIDDEN_SPOILER } from '#src/lib/excerpt.ts'
import { type Inline, parseMarkup } from '#src/lib/markup.ts'
import { addBoardLinks } from './boardLinks.ts'

type Reader = Pick<Services, 'db' | 'config'>

const FEED_POSTS = 50

/**
 * Creates a board's feed. Lists threads by latest activity, like the board's first page.
 * @throws AppError 404 'Board not found'
 */
export async function createBoardFeed(ctx: Reader, boardId: string): Promise<Feed> {
  const { board, threads } = await listThreads(ctx, boardId)
  await addBoardLinks(ctx, threads)
  const { siteUrl } = ctx.config
  return {
    page: `${siteUrl}${boardPath(board.id)}`,
    title: `/${board.id}/ - ${board.name}`,
    subtitle: board.description,
    author: `/${board.id}/`,
    entries: threads.map((thread) => {
      const url = `${siteUrl}${threadPath(board.id, thread.id)}`
      const count = thread.commentCount + thread.replyCount
      const counts = count === 0 ? '' : `<p><a href="${escapeXml(url)}">${t('feed.answers', { count })}</a></p>`
      const entry = createEntry(thread, siteUrl)
      return { ...entry, id: url, url, title: thread.title, updated: thread.lastActivity, html: entry.html + counts }
    }),
  }
}

/**
 * Creates a thread's feed from its newest posts.
 * @throws AppError 404 'Board not found' or 'Thread not found', with `gone` for a deleted thread
 */
export async function createThreadFeed(ctx: Reader, boardId: string, threadId: number): Promise<Feed> {
  const { board, thread } = await findThread(ctx, boardId, threadId)
  const { siteUrl } = ctx.config
  const isHere = eq(livePost.threadId, thread.id)
  const newest = ctx.db.select(postColumns).from(livePost).where(isHere).orderBy(desc(livePost.id))
  const rows = await newest.limit(FEED_POSTS)
  await addBoardLinks(ctx, rows)
  const shown = rows.map((row) => ({ ...row, boardId: board.id }))
  const quotes = await readQuotes(ctx.db, shown)
  const url = `${siteUrl}${threadPath(board.id, thread.id)}`
  return {
    page: url,
    title: `${thread.title} - /${board.id}/ No. ${thread.id}`,
    author: `/${board.id}/`,
    entries: rows.map((row) => {
      const { id, parentId, createdAt } = row
      const postUrl = `${url}#p${id}`
      const name = parentId === null ? t('feed.comment', { id }) : t('feed.reply', { id, parentId })
      const title = id === thread.id ? thread.title : name
      return { ...createEntry(postView(row, quotes), siteUrl), id: postUrl, url: postUrl, title, updated: createdAt }
    }),
  }
}

function createEntry(view: PostView, siteUrl: string): Pick<FeedEntry, 'author' | 'published' | 'html' | 'pictures'> {
  const { createdAt, spoiler } = view
  const pictures = spoiler ? [] : picturesOf(view)
  return {
    author: signatureOf(view),
    published: createdAt,
    html: renderPostHtml(view, siteUrl),
    pictures: pictures.map(({ url, bytes }) => ({ url: `${siteUrl}${url}`, type: imageTypeOf(url) ?? '', bytes })),
  }
}

/** Renders a post as HTML for feed readers, with absolute URLs. */
function renderPostHtml(post: PostView, siteUrl: string): string {
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
      if (!target) return escapeXml(node.text)
      const { boardId, threadId, id } = target
      const path = threadId === undefined ? boardPath(boardId) : `${threadPath(boardId, threadId)}#p${id}`
      return anchor(`${siteUrl}${path}`, node.text)
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
