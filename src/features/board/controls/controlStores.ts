import type { PostFlags } from '#src/contract/post.ts'
import type { ThreadFlags, ThreadView } from '#src/contract/thread.ts'
import { createStore } from '#src/lib/store.ts'

export type PostKind = 'thread' | 'comment' | 'reply'

/** A post with the ids that calls about it need. */
export type ControlledPost = {
  kind: PostKind
  boardId: string
  threadId: number
  /** the comment that a reply belongs to */
  commentId: number | undefined
  id: number
  state: { picture: object | null; pictures?: { url: string }[] } & PostFlags &
    Partial<Pick<ThreadView, keyof ThreadFlags | 'archived' | 'note'>>
}

export type ControlsOfPostProps = {
  post: ControlledPost
  moderates: boolean
  /** called after the post was deleted and the dialog has restored the focus */
  onDeleted: (post: ControlledPost) => void
}

/** An action that a moderator or author has chosen. */
type ControlRequest =
  | { kind: 'menu'; button: HTMLElement; props: ControlsOfPostProps }
  | { kind: 'delete'; props: ControlsOfPostProps; token: string | undefined }
  | { kind: 'move'; post: ControlledPost }
  | { kind: 'posters'; posts: ControlledPost[] }

/** The open menu or dialog. It is not part of the post, because the post can disappear. */
export const request = createStore<ControlRequest | null>(null)

/** The posts that a moderator has selected; null while not selecting. */
export const selection = createStore<ControlledPost[] | null>(null)

export function toggleSelected(post: ControlledPost): void {
  const posts = selection.get() ?? []
  const others = posts.filter(({ id }) => id !== post.id)
  selection.set(others.length < posts.length ? others : [...posts, post])
}
