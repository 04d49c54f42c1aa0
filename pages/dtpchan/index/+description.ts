import type { PageContext } from 'vike/types'

export default ({ site }: PageContext) =>
  `The boards of ${site.boardsName}, an anonymous imageboard: read and post without an account.`
