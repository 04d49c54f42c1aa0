import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ReportScreen } from '#src/features/moderation/ReportScreen.tsx'
import { useSite } from '#src/ui/site.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Report({ data }) {
  const user = useSession()
  const { abuseContact } = useSite()
  const { url, post } = data.fields
  return <ReportScreen key={`${url} ${post}`} {...data} abuseContact={abuseContact} isAdmin={user?.role === 'admin'} />
})
