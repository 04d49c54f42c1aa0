import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { CatalogScreen } from '#src/features/board/lists/CatalogScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Catalog({ data: { page, view } }) {
  const user = useSession()
  return <CatalogScreen key={`${page.board.id} ${view.sort}`} initial={page} view={view} user={user} />
})
