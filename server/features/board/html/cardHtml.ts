import { escapeHtml } from '#server/core/http/escapeXml.ts'
import { LIST_WIDTH } from '#server/features/board/write/images.ts'
import { boardPath } from '#src/contract/board.ts'
import type { ImageFile } from '#src/contract/image.ts'
import { imageHeights, postFormPath } from '#src/contract/post.ts'
import {
  type CatalogThread,
  type ListedComment,
  type ListedThread,
  type ThreadFlags,
  threadFlags,
  threadPath,
} from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { coverHtml } from './imagesHtml.ts'
import { linksHtml, marksHtml, nickHtml, numberHtml } from './postHtml.ts'
import { relativeTimeHtml, richHtml, timeHtml } from './valueHtml.ts'

/*
 * The only HTML of threads in lists: on board pages, the page of all boards and in catalogs. The styles are in
 * `src/features/board/lists/cards.css`, `CatalogTiles.css` and, for the icons, `post.css`.
 */

/**
 * Renders a thread of a list with its newest comments. Lists of one board offer its comment form.
 * @param boardName set in lists with threads of several boards
 */
export function cardHtml(thread: ListedThread, boardName?: string): string {
  const { id, boardId, links, newest, earlier = [], commentCount } = thread
  const href = escapeHtml(threadPath(boardId, id))
  const place = { boardId, threadId: id, pageId: undefined }
  const head = `<header class=gutter>${thread.author && nickHtml(thread.author)} ${timeHtml(thread.createdAt)} <span class=data>${numberHtml(id, place)}</span></header>`
  const board =
    boardName === undefined
      ? ''
      : `<p class=board><a href="${escapeHtml(boardPath(boardId))}" translate=no>/${escapeHtml(boardId)}/</a> ${escapeHtml(boardName)}</p>`
  const latest = [...earlier, ...(newest ? [newest] : [])].map(latestHtml).join('')
  const excerpt = `<p class=excerpt>${escapeHtml(previewOf(thread))}</p>`
  const summary = `<div class=summary>${board}${marksHtml(thread)}${titleHtml(thread)}${excerpt}${linksHtml(links)}${latest}</div>`
  const comments = richHtml('board.commentCount', { count: commentCount, b: strong })
  const active = richHtml('board.activeAt', { time: () => strong(relativeTimeHtml(thread.lastActivity)) })
  const stats = `<span class=stat><span>${comments}</span></span> <span class="stat activity"><span>${active}</span></span>`
  const view = `<a class=key href="${href}" aria-describedby=h${id}>${escapeHtml(t('board.viewThread'))}</a>`
  const form = escapeHtml(postFormPath({ boardId, threadId: id }))
  const write =
    boardName === undefined
      ? ` <a class="key reply-link" href="${form}" title="${escapeHtml(t('board.commentOn', { id }))}">${escapeHtml(t('board.comment'))}</a>`
      : ''
  const foot = `<footer>${stats} <span class=tools><span data-controls></span>${view}${write}</span></footer>`
  const picture = pictureHtml(thread, (image) => coverHtml(image, t('ui.postNumber', { id })))
  return articleHtml('card', thread, `${head}<div class=body>${summary}${picture}${foot}</div>`)
}

/** Renders a thread of a catalog. Hides it if it does not match the filter of the page. */
export function tileHtml(thread: CatalogThread, isShown: boolean): string {
  const { imageCount, lastActivity } = thread
  const replies = thread.commentCount + thread.replyCount
  const text = `<div class=summary>${marksHtml(thread)}${titleHtml(thread)}<p class=excerpt>${escapeHtml(previewOf(thread))}</p></div>`
  const counts = [
    replies > 0 && countHtml('stat', t('board.replyCount', { count: replies }), 'board.replyCountIcon', replies),
    imageCount > 0 &&
      countHtml('"stat pictures"', t('board.imageCount', { count: imageCount }), 'board.imageCountIcon', imageCount),
  ]
  const time = `<span class=time>${hidden(escapeHtml(`${t('board.lastActivity')} `))}${relativeTimeHtml(lastActivity)}</span>`
  const foot = `<footer>${counts.filter(Boolean).join('')}${time}<span data-controls></span></footer>`
  const picture = pictureHtml(thread, () => `<span class=covered>${escapeHtml(t('board.spoiler'))}</span>`)
  return articleHtml('tile', thread, `${picture}${text}${foot}`, isShown ? '' : ' hidden')
}

type AnyThread = Pick<
  CatalogThread,
  'id' | 'boardId' | 'title' | 'picture' | 'furtherPictures' | 'spoiler' | 'deleted' | 'preview'
> &
  ThreadFlags

const FLAGS = [...(Object.keys(threadFlags) as (keyof ThreadFlags)[]), 'spoiler'] as const

/** `controlledThread` in `PostControls.tsx` reads what moderators can change from `data-flags`. */
function articleHtml(kind: 'card' | 'tile', thread: AnyThread, content: string, attributes = ''): string {
  const flags = FLAGS.filter((flag) => thread[flag])
  const data = flags.length > 0 ? ` data-flags="${flags.join(' ')}"` : ''
  const classes = thread.picture ? `"${kind} illustrated"` : kind
  return `<article class=${classes} id=t${thread.id} aria-labelledby=h${thread.id} data-board="${escapeHtml(thread.boardId)}"${data}${attributes}>${content}</article>`
}

const titleHtml = ({ id, boardId, title }: AnyThread) =>
  `<h2 id=h${id}><a href="${escapeHtml(threadPath(boardId, id))}">${escapeHtml(title)}</a></h2>`

const previewOf = ({ deleted, preview }: AnyThread): string => (deleted ? t('board.deletedByAuthor') : preview)

const latestHtml = ({ author, preview, createdAt }: ListedComment) =>
  `<div class=latest><span class=name>${richHtml('board.latestCommentBy', { name: author, hidden, nick: () => nickHtml(author) })}</span><p>${escapeHtml(preview)}</p>${relativeTimeHtml(createdAt)}</div>`

/** @param cover covers a spoiler */
function pictureHtml(thread: AnyThread, cover: (image: string) => string): string {
  if (!thread.picture) return ''
  const image = imageHtml(thread.id, thread.picture)
  return `<div class=picture>${furtherHtml(thread)}${thread.spoiler ? cover(image) : image}</div>`
}

function imageHtml(id: number, picture: ImageFile): string {
  const { width, height } = fitInside(picture, { width: LIST_WIDTH, height: imageHeights.list })
  return `<img src="${picture.url}" width=${width} height=${height} alt="${escapeHtml(t('ui.attachedTo', { id }))}" loading=lazy decoding=async>`
}

/** Says how many images a post has besides the shown one. */
const furtherHtml = ({ furtherPictures: count }: AnyThread) =>
  count ? `<span class=further>${richHtml('board.furtherImages', { count, hidden })}</span>` : ''

const countHtml = (
  classes: string,
  title: string,
  key: 'board.replyCountIcon' | 'board.imageCountIcon',
  count: number,
): string =>
  `<span class=${classes} title="${escapeHtml(title)}"><span>${richHtml(key, { count, unit: hidden })}</span> </span>`

const hidden = (text: string) => `<span class=visually-hidden>${text}</span>`
const strong = (text: string) => `<strong>${text}</strong>`
