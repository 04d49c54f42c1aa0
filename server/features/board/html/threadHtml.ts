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
  const language = currentLanguage()
  const comments = thread.comments.map((comment) =>
    keptComment(comment, language, () => encoder.encode(commentHtml(comment, place))),
  )
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

/** Creates a function that renders an object once per language, as long as the object lives. */
function keepRendered<Source extends object, Rendered>() {
  const rendered = new WeakMap<Source, Map<Language, Rendered>>()
  return (source: Source, language: Language, render: () => Rendered): Rendered => {
    const known = rendered.get(source) ?? new Map<Language, Rendered>()
    rendered.set(source, known)
    const value = known.get(language) ?? render()
    known.set(language, value)
    return value
  }
}

/** The views of a thread that is read again are the same. Bytes, because they need less memory than text. */
const keptComment = keepRendered<CommentView, Uint8Array>()
/** `Buffer.from` would keep 8 kB for each post that is rendered alone. */
const encoder = new TextEncoder()

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

/** An event is sent to many readers. */
const keptEvent = keepRendered<SiteEvent, SiteEvent>()

/** Replaces the fields of an event's post by its HTML. The type stays: only the site's own pages ask for HTML. */
export function showEvent(event: SiteEvent, language: Language): SiteEvent {
  const { post } = event
  if (!post) return event
  return keptEvent(event, language, () => inLanguage(language, () => ({ ...event, post: renderPost(post) as never })))
}
