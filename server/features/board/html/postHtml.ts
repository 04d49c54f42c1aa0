import { escapeHtml } from '#server/core/http/escapeXml.ts'
import type { PostRow } from '#server/features/board/read/view.ts'
import type { PostKind } from '#server/features/board/write/images.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { CommentView, PostView } from '#src/contract/post.ts'
import { REPORT_PATH } from '#src/contract/reports.ts'
import type { ThreadFlags, ThreadView } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { bylineMarks } from '#src/lib/byline.ts'
import { hueOf } from '#src/lib/hueOf.ts'
import { countLines } from './commentSize.ts'
import { imagesHtml } from './imagesHtml.ts'
import { postHref, textHtml } from './textHtml.ts'
import { timeHtml } from './valueHtml.ts'

/*
 * The only HTML of posts: pages, live updates and previews show it, and browsers leave it as it is. The styles are in
 * `src/features/board/post/*.css`. Every byte counts, because a page has hundreds of posts: attributes without spaces
 * have no quotes. Neighbours on a line have a space between them, because text browsers ignore styles.
 */

export type PostPlace = {
  boardId: string
  threadId: number
  /** the thread whose page shows the post */
  pageId: number | undefined
}

/** Renders a comment with its replies. */
export function commentHtml(comment: CommentView, place: PostPlace): string {
  const { id, author, deleted, replies } = comment
  const label = deleted ? t('board.deletedPost', { id }) : t('board.commentLabel', { id, author })
  const lines = countLines(comment)
  const size = lines === undefined ? '' : ` data-lines=${lines}`
  const listed = replies.map((reply) => replyHtml(reply, place)).join('')
  const content = `${headHtml(comment, place)}${bodyHtml(comment, 'comment', place)}${listed && repliesHtml(replies.length, listed)}`
  return `<article class="post comment" id=p${id}${size} aria-label="${escapeHtml(label)}">${content}</article>`
}

export function replyHtml(reply: PostView, place: PostPlace): string {
  const { id, author } = reply
  const label = escapeHtml(t('board.replyLabel', { id, author }))
  return `<article class="post reply" id=p${id} aria-label="${label}">${headHtml(reply, place)}${bodyHtml(reply, 'reply', place)}</article>`
}

/** `findReplies` in `src/features/board/thread/changePosts.ts` adds the same element. */
const repliesHtml = (count: number, replies: string) =>
  `<details class="accordion replies" open><summary>${escapeHtml(t('board.repliesHeading', { count }))}</summary>${replies}</details>`

/** Renders the parts of an opening post. The page adds the element around them, and the actions. */
export function openingHtml(thread: Omit<ThreadView, 'comments'>, place: PostPlace): string {
  const { id, title } = thread
  const head = `<header class=gutter>${bylineHtml(thread)} ${timeHtml(thread.createdAt)} ${numberHtml(id, place)}</header>`
  const top = `${marksHtml(thread)}<h1>${escapeHtml(title)}</h1>`
  return `${head}<div class=body>${top}${contentHtml(thread, 'thread', place)}${backlinksHtml(thread, place)}</div>`
}

/** Shows what moderators set for a thread, and whether it is archived. */
export function marksHtml(thread: ThreadFlags & { archived?: boolean }): string {
  const { pinned, locked, bumplocked, cyclical, archived } = thread
  const marks = [
    pinned && t('board.pinned'),
    locked && t('board.locked'),
    bumplocked && t('board.bumplocked'),
    cyclical && t('board.cyclical'),
    archived && t('board.archived'),
  ]
  const shown = marks.flatMap((mark) => (mark ? `<span>${escapeHtml(mark)}</span>` : []))
  return shown.length > 0 ? `<p class=marks>${shown.join(' ')}</p>` : ''
}

function headHtml(post: PostView, place: PostPlace): string {
  const { id } = post
  // The form is relative to the thread's page, the only page with these links. The server knows the thread of a post.
  const reply = `<a class=reply-link href="../post?comment=${id}">${escapeHtml(t('board.reply'))}</a>`
  const actions = `${reply} <a href="${REPORT_PATH}?post=${id}">${escapeHtml(t('ui.report'))}</a>`
  return `<header>${bylineHtml(post)} ${timeHtml(post.createdAt)} ${numberHtml(id, place)} ${backlinksHtml(post, place)}<span class=actions>${actions}</span></header>`
}

const bylineHtml = (post: PostView) => `<span class=by>${authorHtml(post)}</span>`

export function authorHtml(post: PostView | PostRow): string {
  const marks = bylineMarks(post).map(
    ({ kind, text, hue }) =>
      `<span class=${kind}${kind === 'trip' ? ' translate=no' : ''}${hue === undefined ? '' : ` data-hue=${hue}`}>${escapeHtml(text)}</span>`,
  )
  return [...(post.author ? [nickHtml(post.author)] : []), ...marks].join(' ')
}

export const nickHtml = (author: string) =>
  `<bdi class=nick translate=no${author === 'Anonymous' ? '' : ` data-hue=${hueOf(author)}`}>${escapeHtml(author)}</bdi>`

export const numberHtml = (id: number, { pageId, ...place }: PostPlace) =>
  `<a class=number href=${postHref({ id, ...place }, pageId)}>${escapeHtml(t('ui.postNumber', { id }))}</a>`

function backlinksHtml({ quotedBy }: PostView, { pageId }: PostPlace): string {
  if (quotedBy.length === 0) return ''
  const links = quotedBy.map((post) => `<a href=${postHref(post, pageId)}>&gt;&gt;${post.id}</a> `).join('')
  const more = quotedBy.length >= boardLimits.quotedBy ? `<span>${escapeHtml(t('board.andMore'))}</span>` : ''
  return `<span class=backlinks><span class=visually-hidden>${escapeHtml(t('board.quotedBy'))}</span> ${links}${more}</span> `
}

const bodyHtml = (post: PostView, kind: PostKind, place: PostPlace) =>
  `<div class=body>${contentHtml(post, kind, place)}</div>`

/** Renders the text, images and links of a post, and the note of a moderator. */
function contentHtml(post: PostView, kind: PostKind, { pageId }: PostPlace): string {
  if (post.deleted) return `<p class=hint>${escapeHtml(t('board.deletedByAuthor'))}</p>`
  const note = post.note ? `<p class="hint mod-note"><strong>(${escapeHtml(post.note)})</strong></p>` : ''
  const files = `${imagesHtml(post, kind)}${linksHtml(post.links)}`
  // Imported posts can be nothing but a file, which moderators may delete.
  const isBare = post.content === '' && files === ''
  const text = isBare ? `<p class=hint>${escapeHtml(t('ui.imageDeleted'))}</p>` : textHtml(post, pageId)
  return `${text}${files}${note}`
}

export function linksHtml(links: string[]): string {
  if (links.length === 0) return ''
  const listed = [...new Set(links)].map((link) => {
    const url = escapeHtml(link)
    const text = escapeHtml(link.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))
    return `<li><a href="${url}" title="${url}" target=_blank rel="nofollow ugc noopener"><span>${text}</span></a></li>`
  })
  return `<ul class=links translate=no>${listed.join('')}</ul>`
}
