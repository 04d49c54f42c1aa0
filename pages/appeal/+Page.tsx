import { createDataPage } from '#pages/dataPage.tsx'
import { AppealScreen } from '#src/features/moderation/AppealScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Appeal({ data }) {
  return <AppealScreen {...data} />
})
