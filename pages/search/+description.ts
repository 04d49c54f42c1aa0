import type { PageContext } from 'vike/types'

export default ({ site }: PageContext) =>
  `Search the threads, comments and replies of ${site.boardsName}, an anonymous imageboard.`
