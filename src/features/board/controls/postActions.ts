import type { ReactNode } from 'react'
import type { PostView } from '#src/contract/post.ts'
import type { ThreadFlags, ThreadView } from '#src/contract/thread.ts'
import type { PostFilter } from '#src/features/board/reading/postFilter.ts'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'

/** Actions on a thread page. The object must rarely change: each change re-renders all memoized comments. */
export type PostActions = {
  /** Opens the form of a comment or reply. Undefined after the thread was deleted, or if it is locked. */
  write?: WritePost
  /** Renders a stub in the place of a hidden post. Undefined if the reader hides nothing. */
  filter?: PostFilter | undefined
  /** Renders the controls of moderators and authors at the end of a post. Undefined until they are loaded. */
  renderControls?: (kind: PostKind, post: PostView | ThreadView, commentId?: number) => ReactNode
}

export type PostKind = 'thread' | 'comment' | 'reply'

/** A post with the ids that calls about it need. */
export type ControlledPost = {
  kind: PostKind
  boardId: string
  threadId: number
  /** the comment that a reply belongs to */
  commentId: number | undefined
  id: number
  state: Pick<PostView, 'spoiler' | 'pictures'> & { picture: object | null } & Partial<
      Pick<ThreadView, keyof ThreadFlags | 'archived' | 'note'>
    >
}

export type PostHighlights = { linkedId: number | null; newIds: ReadonlySet<number> }
