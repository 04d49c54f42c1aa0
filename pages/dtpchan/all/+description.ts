import type { PageContext } from 'vike/types'
import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

const textOf = ({ site }: PageContext) => t('board.allBoardsDescription', { site: site.boardsName })

export default derivedFromData<Data>(({ cursor }, pageContext) => {
  const after = parseCursor(cursor)
  const text = textOf(pageContext)
  return after ? t('board.olderThan', { id: after.id, text }) : text
}, textOf)
