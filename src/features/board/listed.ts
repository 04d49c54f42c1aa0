import { boardLimits, type PostView, type ThreadView } from '#src/contract/board.ts'
import type { ImageFile } from '#src/contract/image.ts'
import { excerpt } from '#src/lib/excerpt.ts'

/** What the list of a board shows of a thread; the rest of it would only make the page heavier. */
export type ListedThread = Pick<
  ThreadView,
  'id' | 'boardId' | 'title' | 'author' | 'createdAt' | 'lastActivity' | 'commentCount' | 'links'
> & {
  /** the opening post in a line */
  preview: string
  /** the file that is shown, and the pixels of the full one */
  picture: ImageFile | null
  newest: ListedComment | null
}
export type ListedComment = Pick<PostView, 'author' | 'createdAt'> & { preview: string }

/** A page of a board as it is read, with its threads as the list shows them. */
export const listedPage = <Page extends { threads: ThreadView[] }>(page: Page) => ({
  ...page,
  threads: page.threads.map(listed),
})

export function listed({ content, picture, comments, ...thread }: ThreadView): ListedThread {
  const { id, boardId, title, author, createdAt, lastActivity, commentCount, links } = thread
  const [newest] = comments
  return {
    id,
    boardId,
    title,
    author,
    createdAt,
    lastActivity,
    commentCount,
    links,
    preview: excerpt(content, boardLimits.threadPreview),
    picture: picture && { url: picture.preview.url, width: picture.width, height: picture.height },
    newest: newest
      ? {
          author: newest.author,
          createdAt: newest.createdAt,
          preview: excerpt(newest.content, boardLimits.commentPreview),
        }
      : null,
  }
}
