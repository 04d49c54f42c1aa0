import type { ShownPost } from '#src/contract/events.ts'
import type { ThreadHtml } from '#src/contract/thread.ts'
import {
  bodyOf,
  commentOf,
  findPost,
  headOf,
  idOf,
  kindOf,
  listPosts,
  parseHtml,
} from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'

/**
 * Adds a post to the page, or shows its changes. Doing so again has no effect.
 * @param omitsOldest whether the page has only the newest comments of the thread
 */
export function putPost(
  list: Element,
  { view: { id }, parentId, threadId, html }: ShownPost,
  omitsOldest: boolean,
): void {
  const written = parseHtml(html)
  const post = written.querySelector('article')
  const shown = findPost(id)
  const oldest = list.querySelector(':scope > article')
  if (shown) updatePost(shown, post ?? written)
  else if (post && id !== threadId && !(omitsOldest && oldest && id < idOf(oldest))) insertPost(list, parentId, post)
}

/** Inserts a post in the order of the numbers. */
function insertPost(list: Element, parentId: number | null, post: Element): void {
  const parent = parentId === null ? list : findPost(parentId)
  if (!parent) return
  const siblings = parentId === null ? list : findReplies(parent)
  const next = [...siblings.querySelectorAll(':scope > article')].find((other) => idOf(other) > idOf(post)) ?? null
  siblings.insertBefore(post, next)
  if (parentId !== null) countReplies(siblings)
}

/** Changes only what is different: the rest may have the focus, an enlarged image or an open preview. */
function updatePost(post: Element, written: ParentNode): void {
  const [head, newHead] = [headOf(post), headOf(written)]
  const [body, newBody] = [bodyOf(post), bodyOf(written)]
  if (!head || !newHead || !body || !newBody) return
  updatePart(head, newHead, '.by')
  updateBacklinks(head, newHead, head.querySelector('.actions'))
  if (shapeOf(body) === shapeOf(newBody)) {
    updatePart(body, newBody, '.marks', body.firstChild)
    updateBacklinks(body, newBody)
  } else body.replaceWith(newBody)
  if (written instanceof Element && written.ariaLabel) post.ariaLabel = written.ariaLabel
}

/** @param before where to insert a part that is new */
function updatePart(shownIn: Element, writtenIn: Element, selector: string, before: Node | null = null): void {
  // Posts that are shown in place have the same parts, deeper.
  const shown = shownIn.querySelector(`:scope > ${selector}`)
  const written = writtenIn.querySelector(`:scope > ${selector}`)
  if (shown?.textContent === written?.textContent) return
  if (shown && written) shown.replaceWith(written)
  else if (written) shownIn.insertBefore(written, before)
  else shown?.remove()
}

/** Leaves out the links of posts that are shown in place. */
const linksIn = (backlinks: Element): Map<string, Element> =>
  new Map([...backlinks.querySelectorAll(':scope > a')].map((link) => [link.getAttribute('href') ?? '', link]))

/** Adds and removes single links: another one may have the focus, or show its post in place. */
function updateBacklinks(shownIn: Element, writtenIn: Element, before: Node | null = null): void {
  const shown = shownIn.querySelector(':scope > .backlinks')
  const written = writtenIn.querySelector(':scope > .backlinks')
  if (!shown || !written) {
    updatePart(shownIn, writtenIn, '.backlinks', before)
    return
  }
  const [links, newLinks] = [linksIn(shown), linksIn(written)]
  for (const [href, link] of links) if (!newLinks.has(href)) link.remove()
  for (const [href, link] of newLinks) if (!links.has(href)) shown.append(link, ' ')
}

/**
 * Describes what can change in a body: its images and their covers, its cards, its quotes (plain text once their posts
 * are gone), and whether it has a text. Posts that are shown in place are in groups.
 */
const shapeOf = (body: Element): string =>
  [...body.querySelectorAll(':is(.frame, .lid, .text, .quote, .cards a, .mod-note):not([role=group] *)')]
    .map((part) => part.getAttribute('href') ?? part.className)
    .join()

/** Returns the element of a comment's replies. `repliesHtml` in `postHtml.ts` writes the same element. */
function findReplies(comment: Element): Element {
  const existing = comment.querySelector(':scope > .replies')
  if (existing) return existing
  const replies = document.createElement('details')
  replies.className = 'accordion replies'
  replies.open = true
  replies.append(document.createElement('summary'))
  comment.append(replies)
  return replies
}

function countReplies(replies: Element): void {
  const count = replies.querySelectorAll(':scope > article').length
  const summary = replies.querySelector('summary')
  if (count === 0) replies.remove()
  else if (summary) summary.textContent = t('board.repliesHeading', { count })
}

/** Removes a comment with its replies, or a reply. */
export function removePost(id: number): void {
  const post = findPost(id)
  const comment = post && commentOf(post)
  const replies = comment?.querySelector('.replies')
  if (comment) post.remove()
  if (comment !== post && replies) countReplies(replies)
}

/** Brings all posts up to date. What stays the same keeps its element. */
export function replacePosts(list: Element, html: ThreadHtml): void {
  const opening = document.querySelector('main [data-opening]')
  // The page can have lost its HTML.
  if (opening?.childElementCount === 0) opening.innerHTML = html.opening
  else if (opening?.parentElement) updatePost(opening.parentElement, parseHtml(html.opening))

  const written = parseHtml(html.comments)
  const ids = new Set([...written.querySelectorAll('article')].map(idOf))
  for (const post of listPosts()) if (kindOf(post) !== 'thread' && !ids.has(idOf(post))) removePost(idOf(post))
  for (const post of written.querySelectorAll('article')) {
    const comment = kindOf(post) === 'reply' ? commentOf(post) : null
    const shown = findPost(idOf(post))
    // A new comment brings its replies along.
    if (!shown) insertPost(list, comment && idOf(comment), post)
    else if (shown !== post) updatePost(shown, post)
  }
}
