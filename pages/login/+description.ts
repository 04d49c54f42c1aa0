import type { PageContext } from 'vike/types'

export default ({ site }: PageContext) => `For admins and moderators of the boards of ${site.boardsName}.`
