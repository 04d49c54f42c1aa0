import { NewsScreen } from '#src/features/news/NewsScreen.tsx'
import { loaded } from '../loaded.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('Today in Tech', function News({ data }) {
  return <NewsScreen {...data} />
})
