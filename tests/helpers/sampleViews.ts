import type { BoardView } from '#src/contract/board.ts'
import type { PostView } from '#src/contract/post.ts'

/** A board with the settings of a new one. */
export const sampleBoard: BoardView = {
  id: 'tech',
  name: 'Technology',
  description: 'All of it',
  rules: '',
  threadLimit: 0,
  posterLabels: false,
  defaultName: '',
  latestReplies: 1,
  moderators: [],
}

/** A post with a text and nothing else. */
export const samplePost = (id: number, fields: Partial<PostView> = {}): PostView => ({
  id,
  author: 'ferrite',
  tripcode: null,
  posterLabel: null,
  sage: false,
  content: `post ${id}`,
  createdAt: new Date(Date.UTC(2026, 10, 21, 12, 5, 1)),
  image: null,
  picture: null,
  spoiler: false,
  links: [],
  quotes: [],
  quotedBy: [],
  ...fields,
})
