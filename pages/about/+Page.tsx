import { loaded } from '#pages/loaded.tsx'
import { AboutScreen } from '#src/features/site/AboutScreen.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('About', function About({ data }) {
  return <AboutScreen {...data} />
})
