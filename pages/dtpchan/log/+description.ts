import type { PageContext } from 'vike/types'

export default ({ site }: PageContext) =>
  `What admins, moderators and authors removed, locked or restored on ${site.boardsName}, and why. Without names and removed content.`
