import { desc, eq } from 'drizzle-orm'
import { livePost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { Feed, FeedEntry } from '#server/core/http/feed.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { signatureOf } from '#src/contract/authorName.ts'
import { boardPath } from '#src/contract/board.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { type PostView, picturesOf } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { addBoardLinks } from './boardLinks.ts'
import { renderPostHtml } from './feedHtml.ts'
import { findThread, postColumns } from './queries.ts'
import { listThreads } from './threadLists.ts'
import { postView } from './view.ts'

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
  const path = boardPath(board.id)
  return {
    page: `${siteUrl}${path}`,
    title: `/${board.id}/ - ${board.name}`,
    subtitle: board.description,
    author: `/${board.id}/`,
    entries: threads.map((thread) => {
      const url = `${siteUrl}${threadPath(board.id, thread.id)}`
      const { commentCount, replyCount } = thread
      const answers = commentCount + replyCount
      const counts =
        answers === 0 ? '' : `<p><a href="${escapeXml(url)}">${t('feed.answers', { count: answers })}</a></p>`
      const entry = createEntry(thread, siteUrl)
      return { ...entry, id: url, url, title: thread.title, updated: thread.lastActivity, html: entry.html + counts }
    }),
  }
}

/**
 * Creates a thread's feed from its newest posts.
 * @throws AppError 404 'Board not found' or 'Thread not found', with `gone` for a deleted thread
 */
export async function createThreadFeed(ctx: Reader, boardId: string, threadText: string): Promise<Feed> {
  const { board, thread } = await findThread(ctx, boardId, threadText)
  const { siteUrl } = ctx.config
  const rows = await ctx.db
    .select(postColumns)
    .from(livePost)
    .where(eq(livePost.threadId, thread.id))
    .orderBy(desc(livePost.id))
    .limit(FEED_POSTS)
  await addBoardLinks(ctx, rows)
  const quotes = await readQuotes(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const path = threadPath(board.id, thread.id)
  const url = `${siteUrl}${path}`
  return {
    page: url,
    title: `${thread.title} - /${board.id}/ No. ${thread.id}`,
    author: `/${board.id}/`,
    entries: rows.map((row) => {
      const isOpeningPost = row.id === thread.id
      const postUrl = `${url}#p${row.id}`
      return {
        ...createEntry(postView(row, quotes), siteUrl),
        id: postUrl,
        url: postUrl,
        title: isOpeningPost ? thread.title : titleOf(row),
        updated: row.createdAt,
      }
    }),
  }
}

const titleOf = ({ id, parentId }: { id: number; parentId: number | null }) =>
  parentId === null ? t('feed.comment', { id }) : t('feed.reply', { id, parentId })

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
