import { navigate } from 'vike/client/router'
import { newsPath } from '#src/features/news/address.ts'
import { NewsScreen } from '#src/features/news/NewsScreen.tsx'
import { loaded } from '../loaded.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('Today in Tech', function News({ data }) {
  const jump = (page: number) => void navigate(newsPath({ source: data.source, page }))
  return <NewsScreen {...data} onJump={jump} />
})
