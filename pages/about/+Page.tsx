import { createDataPage } from '#pages/dataPage.tsx'
import { AboutScreen } from '#src/features/site/AboutScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function About({ data }) {
  return <AboutScreen {...data} />
})
