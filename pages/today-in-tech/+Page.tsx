import { navigate } from 'vike/client/router'
import { createDataPage } from '#pages/dataPage.tsx'
import { NewsScreen } from '#src/features/news/NewsScreen.tsx'
import { newsPath } from '#src/features/news/newsPath.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function News({ data }) {
  const jump = (page: number) => void navigate(newsPath({ source: data.source, page }))
  return <NewsScreen {...data} onJump={jump} />
})
