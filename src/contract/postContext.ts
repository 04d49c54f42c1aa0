/** The post that a post answers or quotes, else the opening post of its thread. */
export type PostContext = {
  relation: 'answers' | 'quotes' | 'opening'
  id: number
  author: string
  /** the post in one line, cut to 200 characters */
  excerpt: string
}

/** What moderators need beside a post to judge it. */
export type PostSurroundings = {
  /** short name of the poster on this board; null if the site no longer knows where the post came from */
  label: string | null
  /** null for opening posts, and if the thread was deleted */
  context: PostContext | null
}
