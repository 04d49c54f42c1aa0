import type { ThreadFlags, ThreadView } from '#src/contract/thread.ts'

export type PostKind = 'thread' | 'comment' | 'reply'

/** A post with the ids that calls about it need. */
export type ControlledPost = {
  kind: PostKind
  boardId: string
  threadId: number
  /** the comment that a reply belongs to */
  commentId: number | undefined
  id: number
  state: { spoiler: boolean; picture: object | null; pictures?: { url: string }[] } & Partial<
    Pick<ThreadView, keyof ThreadFlags | 'archived' | 'note'>
  >
}
