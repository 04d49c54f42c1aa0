import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { CatalogScreen } from '#src/features/board/lists/CatalogScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Catalog({ data: { page, view } }) {
  const user = useSession()
  const key = `${page.board.id} ${view.sort} ${page.lastEventId}`
  return <CatalogScreen key={key} initial={page} view={view} user={user} />
})
