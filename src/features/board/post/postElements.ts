import type { PostKind } from '#src/features/board/controls/controlStores.ts'

/*
 * Reads what the page knows of a post from the HTML that the server wrote (`server/features/board/html/postHtml.ts`).
 */

export function parseHtml(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}

/** Lists the posts of the open thread, the opening post first. */
export const listPosts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main article.post[id]')]

/** Lists the comments and replies of the open thread, or the threads of a list. */
export const listHideable = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main :is(.comment, .reply, .card, .tile)'),
]

/** Lists the posts of the open thread, or the threads of a list. */
export const listControlled = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main :is(.post[id], .card, .tile)'),
]

/** Returns the number of a post of a thread, or of a thread in a list. */
export const idOf = (post: Element): number => Number(post.id.slice(1))

export const findPost = (id: number): HTMLElement | null => document.getElementById(`p${id}`)

export const postIds = (): number[] => listPosts().map(idOf)

/** Counts the comments and replies of the open thread. Deleted posts keep a place, but do not count. */
export function countPosts(): { commentCount: number; replyCount: number } {
  const kinds = listPosts().map((post) => authorOf(post) !== '' && kindOf(post))
  const count = (kind: PostKind) => kinds.filter((one) => one === kind).length
  return { commentCount: count('comment'), replyCount: count('reply') }
}

/** A comment's own header and body come before those of its replies. Posts that are shown in place are in groups. */
export const headOf = (post: ParentNode): Element | null => post.querySelector('header')
export const bodyOf = (post: ParentNode): Element | null => post.querySelector('.body:not([role=group] *)')

/** Returns an empty text for a deleted post. */
export const authorOf = (post: ParentNode): string => headOf(post)?.querySelector('.nick')?.textContent ?? ''

export const kindOf = (post: Element): PostKind =>
  post.matches('.reply') ? 'reply' : post.matches('.comment') ? 'comment' : 'thread'

/** Returns the text of a part of a post or thread, or an empty text. */
export const textIn = (post: ParentNode, selector: string): string => post.querySelector(selector)?.textContent ?? ''

/** Returns the comment that a reply belongs to, and a comment itself; null for the opening post. */
export const commentOf = (post: Element): HTMLElement | null => post.closest<HTMLElement>('.comment')

/** Returns the posts that a post quotes. */
const quotedIds = (post: Element): number[] =>
  [...(bodyOf(post)?.querySelectorAll<HTMLAnchorElement>('.text .quote:not([role=group] *)') ?? [])].map(({ hash }) =>
    Number(hash.slice(2)),
  )

export type ThreadPost = { id: number; parentId: number | null; quotes: number[] }

export const readPosts = (): ThreadPost[] =>
  listPosts().map((post) => {
    const comment = kindOf(post) === 'reply' ? commentOf(post) : null
    return { id: idOf(post), parentId: comment && idOf(comment), quotes: quotedIds(post) }
  })

/** Returns the text of a post with its line breaks, without layout. */
function textOf(node: Node): string {
  if (node.nodeName === 'BR') return '\n'
  if (node.childNodes.length === 0) return node.textContent ?? ''
  const text = [...node.childNodes].map(textOf).join('')
  return node.nodeName === 'P' || node.nodeName === 'PRE' ? `${text}\n` : text
}

/** Returns what the author of a post wrote, without what the page shows in the text. */
export function postTextOf(post: ParentNode): string {
  const text = bodyOf(post)?.querySelector('.text')?.cloneNode(true) as Element | undefined
  for (const added of text?.querySelectorAll('figcaption, .cards, [role=group]') ?? []) added.remove()
  return text ? textOf(text) : ''
}

/** Returns what a moderator wrote below a post. */
export const noteOf = (post: Element): string | undefined =>
  bodyOf(post)?.querySelector('.mod-note:not([role=group] *)')?.textContent

/** An image of a post. */
export type PostImage = {
  postId: number
  author: string
  spoiler: boolean
  url: string
  width: number
  height: number
}

/** Lists the images of the open thread, or of a post, in the order of the page. */
export const listImages = (posts: Element[] = listPosts()): PostImage[] =>
  posts.flatMap((post) =>
    [...(bodyOf(post)?.querySelectorAll<HTMLAnchorElement>('.frame:not([role=group] *)') ?? [])].map((link) => {
      const [width = 0, height = 0] = (link.dataset.size ?? '').split('x').map(Number)
      const spoiler = link.closest('.cover') !== null
      return {
        postId: idOf(post),
        author: authorOf(post),
        spoiler,
        url: link.getAttribute('href') ?? '',
        width,
        height,
      }
    }),
  )
