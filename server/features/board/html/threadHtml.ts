import { inLanguage } from '#server/core/http/language.ts'
import type { EventPost, ShownPost, SiteEvent } from '#src/contract/events.ts'
import type { Language } from '#src/contract/languages.ts'
import { picturesOf } from '#src/contract/post.ts'
import type { ShownThread, ThreadPage, ThreadView } from '#src/contract/thread.ts'
import { commentHtml, openingHtml, replyHtml } from './postHtml.ts'

/** A thread with its posts, of which only the head of the page needs more than the HTML. */
type RenderedThread = ShownThread & Required<Pick<ShownThread, 'html'>> & { source: ThreadPage }

/** Renders a thread in the current language. `source` is left out when the thread is serialised. */
export function renderThread(source: ThreadPage): RenderedThread {
  const { thread, ...page } = source
  const { id, boardId, title, createdAt } = thread
  const place = { boardId, threadId: id, pageId: id }
  const posts = [thread, ...thread.comments.flatMap((comment) => [comment, ...comment.replies])]
  const shown: ShownThread = {
    ...page,
    thread: { id, boardId, title, createdAt, ...stateOf(thread) },
    html: {
      opening: openingHtml(thread, place),
      comments: thread.comments.map((comment) => commentHtml(comment, place)).join(''),
    },
    newestId: Math.max(...posts.map((post) => post.id)),
    images: posts.flatMap(picturesOf).length,
    authors: [...new Set(posts.flatMap(({ author, deleted }) => (deleted ? [] : author)))],
  }
  return Object.defineProperty(shown, 'source', { value: source }) as RenderedThread
}

const stateOf = (thread: ThreadView) => {
  const { lastActivity, commentCount, replyCount, locked, pinned, bumplocked, cyclical, archived } = thread
  return { lastActivity, commentCount, replyCount, locked, pinned, bumplocked, cyclical, archived }
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
        : replyHtml(view, parentId, place)
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
