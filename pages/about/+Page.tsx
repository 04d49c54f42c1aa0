import { useData } from 'vike-react/useData'
import { AboutScreen } from '#src/features/site/AboutScreen.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  return <AboutScreen {...useData<Data>()} />
}
