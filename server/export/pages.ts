import { escapeXml } from '#server/core/http/escapeXml.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { renderComment, type Urls } from '#server/features/board/fourchan/commentHtml.ts'
import { extensionOf } from '#server/features/board/fourchan/fourchanPosts.ts'
import { imageNumber } from '#server/features/board/fourchan/imageNumber.ts'
import { authorHtml } from '#server/features/board/html/postHtml.ts'
import type { readThreadPosts } from '#server/features/board/read/threads.ts'
import type { BoardView } from '#src/contract/board.ts'

type ThreadPosts = Awaited<ReturnType<typeof readThreadPosts>>
type Row = ThreadPosts['posts'][number]
export type ThreadEntry = { id: number; title: string; createdAt: Date; posts: number }

/** Uses the colours of the browser, light or dark. */
export const STYLES = `:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
article { display: flow-root; margin: 1rem 0; padding-top: 0.5rem; border-top: 1px solid GrayText; }
article.reply { margin-inline-start: 2rem; }
bdi { font-weight: bold; }
article header { color: color-mix(in srgb, CanvasText 65%, Canvas); font-size: 0.875rem; }
article div { margin: 0.5rem 0; overflow-wrap: anywhere; }
article pre { overflow-x: auto; }
article img { float: left; max-width: 250px; max-height: 250px; width: auto; height: auto; margin: 0 1rem 0.5rem 0; }
.quote { font-style: italic; }
.deadlink { text-decoration: line-through; }
s { text-decoration: none; background: CanvasText; color: CanvasText; }
s:hover, s:focus-within { background: none; }
s:not(:hover) a { color: inherit; }
article:target { border-top: 3px solid Highlight; }
li { margin: 0.25rem 0; overflow-wrap: anywhere; }
small { color: color-mix(in srgb, CanvasText 65%, Canvas); }
@media (max-width: 30rem) {
  article img { display: block; float: none; margin: 0 0 0.5rem; }
  article.reply { margin-inline-start: 1rem; }
}
`

const TO_ROOT = '../../'

export function renderThreadPage({ head, posts, quotes }: ThreadPosts): string {
  const urls: Urls = {
    thread: ({ boardId, threadId }) =>
      boardId === head.boardId ? `${threadId}.html` : `${TO_ROOT}${boardId}/thread/${threadId}.html`,
    board: (boardId) => `${TO_ROOT}${boardId}/index.html`,
  }
  const articles = posts.map((row) => renderPost(row, renderComment(row, quotes.quotes.get(row.id) ?? [], urls)))
  return page({
    root: TO_ROOT,
    title: `${head.title} - /${head.boardId}/`,
    body: [`<p><a href="../index.html">/${head.boardId}/</a></p>`, `<h1>${escapeXml(head.title)}</h1>`, ...articles],
  })
}

function renderPost(row: Row, html: string): string {
  const { id, parentId, createdAt, spoiler } = row
  const time = `<time datetime="${createdAt.toISOString()}">${formatTime(createdAt)}</time>`
  const pictures = imagesOf(row).map((image) => {
    const number = imageNumber(row, image)
    const thumbnail = `<img src="../${number}s.jpg" alt="Picture of No. ${id}" loading="lazy">`
    return `<a href="../${number}${extensionOf(image)}">${spoiler ? '[spoiler] Picture' : thumbnail}</a>`
  })
  return [
    `<article id="p${id}"${parentId === null ? '' : ' class="reply"'}>`,
    `<header>${authorHtml(row)} ${time} <a href="#p${id}">No. ${id}</a></header>`,
    `<div>${pictures.join(' ')}${html}</div></article>`,
  ].join('')
}

/** @param listed threads in the order of the board's pages @param parts number of pages with all threads */
export function renderBoardPage(board: BoardView, listed: ThreadEntry[], parts: number): string {
  const all = Array.from({ length: parts }, (_, index) => `<a href="${partName(index + 1)}">${index + 1}</a>`)
  return page({
    root: '../',
    title: `/${board.id}/ - ${board.name}`,
    body: [
      '<p><a href="../index.html">All boards</a></p>',
      `<h1>/${board.id}/ - ${escapeXml(board.name)}</h1>`,
      `<p>${escapeXml(board.description)}</p>`,
      renderList(listed),
      ...(parts > 0 ? [`<p>All threads, oldest first: ${all.join(' ')}</p>`] : []),
    ],
  })
}

export const partName = (part: number) => `all-${part}.html`

/** One of the pages that list all threads of a board. */
export const renderPartPage = (boardId: string, part: number, threads: ThreadEntry[]): string =>
  page({
    root: '../',
    title: `/${boardId}/ - all threads, ${part}`,
    body: [
      `<p><a href="index.html">/${boardId}/</a></p>`,
      `<h1>/${boardId}/ - all threads, ${part}</h1>`,
      renderList(threads),
    ],
  })

const renderList = (threads: ThreadEntry[]) =>
  `<ul>${threads
    .map(({ id, title, createdAt, posts }) => {
      const about = `${formatTime(createdAt)}, ${posts} ${posts === 1 ? 'post' : 'posts'}`
      return `<li><a href="thread/${id}.html">${escapeXml(title)}</a> <small>${about}</small></li>`
    })
    .join('\n')}</ul>`

export const renderIndexPage = (boards: BoardView[]): string =>
  page({
    root: '',
    title: 'Boards',
    body: [
      '<h1>Boards</h1>',
      `<ul>${boards
        .map(({ id, name, description }) => {
          const link = `<a href="${id}/index.html">/${id}/ - ${escapeXml(name)}</a>`
          return `<li>${link}<br><small>${escapeXml(description)}</small></li>`
        })
        .join('\n')}</ul>`,
    ],
  })

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const page = ({ root, title, body }: { root: string; title: string; body: string[] }) =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeXml(title)}</title>`,
    `<link rel="stylesheet" href="${root}style.css">`,
    ...body,
    '',
  ].join('\n')
