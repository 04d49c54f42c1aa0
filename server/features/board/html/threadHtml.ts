import { pick } from '#db/schema/columns.ts'
import { inLanguage } from '#server/core/http/language.ts'
import type { EventPost, ShownPost, SiteEvent } from '#src/contract/events.ts'
import type { Language } from '#src/contract/languages.ts'
import { type CommentView, picturesOf } from '#src/contract/post.ts'
import { type ShownThread, type ThreadPage, threadCounts } from '#src/contract/thread.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { commentHtml, openingHtml, replyHtml } from './postHtml.ts'

/** `source` and `comments`, the HTML of each comment, are only for the head and the document of the page. */
type RenderedThread = ShownThread & Required<Pick<ShownThread, 'html'>> & { source: ThreadPage; comments: Uint8Array[] }

/** Renders a thread in the current language. `source` and `comments` are left out when the thread is serialised. */
export function renderThread(source: ThreadPage): RenderedThread {
  const { thread, ...page } = source
  const { id, boardId, title, createdAt } = thread
  const place = { boardId, threadId: id, pageId: id }
  const posts = [thread, ...thread.comments.flatMap((comment) => [comment, ...comment.replies])]
  const comments = thread.comments.map((comment) => keptHtml(comment, () => commentHtml(comment, place)))
  const shown: ShownThread = {
    ...page,
    thread: { id, boardId, title, createdAt, ...pick(thread, threadCounts) },
    html: {
      opening: openingHtml(thread, place),
      // The document does not need it as text.
      get comments() {
        return Buffer.concat(comments).toString()
      },
    },
    newestId: Math.max(...posts.map((post) => post.id)),
    images: posts.flatMap(picturesOf).length,
    authors: [...new Set(posts.flatMap(({ author, deleted }) => (deleted ? [] : author)))],
  }
  return Object.defineProperties(shown, { source: { value: source }, comments: { value: comments } }) as RenderedThread
}

/** The HTML of views, which a thread that is read again has again. Bytes, because they need less memory than text. */
const commentHtmls = new WeakMap<CommentView, Map<Language, Uint8Array>>()
/** `Buffer.from` would keep 8 kB for each post that is rendered alone. */
const encoder = new TextEncoder()

function keptHtml(comment: CommentView, render: () => string): Uint8Array {
  const language = currentLanguage()
  const known = commentHtmls.get(comment) ?? new Map<Language, Uint8Array>()
  commentHtmls.set(comment, known)
  const html = known.get(language) ?? encoder.encode(render())
  known.set(language, html)
  return html
}

/** Renders a post in the current language. @param pageId the thread whose page shows it */
export function renderPost({ view, ...post }: EventPost, pageId = post.threadId): ShownPost {
  const { id, author, quotes } = view
  const { threadId, parentId } = post
  const place = { boardId: post.boardId, threadId, pageId }
  const html =
    id === threadId
      ? openingHtml({ ...post, ...view }, place)
      : parentId === null
        ? commentHtml({ ...view, replies: [] }, place)
        : replyHtml(view, place)
  return { ...post, view: { id, author, quotes }, html }
}

/** Rendered events, which are sent to many readers. */
const shownEvents = new WeakMap<SiteEvent, Map<Language, SiteEvent>>()

/** Replaces the fields of an event's post by its HTML. The type stays: only the site's own pages ask for HTML. */
export function showEvent(event: SiteEvent, language: Language): SiteEvent {
  const { post } = event
  if (!post) return event
  const known = shownEvents.get(event) ?? new Map<Language, SiteEvent>()
  shownEvents.set(event, known)
  const shown = known.get(language) ?? inLanguage(language, () => ({ ...event, post: renderPost(post) as never }))
  known.set(language, shown)
  return shown
}
