import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { LogScreen } from '#src/features/moderation/LogScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Log({ data: { page, before } }) {
  const user = useSession()
  return <LogScreen initial={page} before={before} user={user} />
})
