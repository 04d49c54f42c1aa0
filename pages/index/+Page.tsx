import { Suspense } from 'react'
import { useData } from 'vike-react/useData'
import { later } from '#src/ui/later.tsx'
import type { Data } from './+data.ts'
// of what comes later, the styles come at once
import styles from './page.module.css'

const Home = later('main', () => import('./Home.tsx').then((module) => module.Home))

export default function Page() {
  const data = useData<Data>()
  return (
    <Suspense fallback={<div className={styles.lists} />}>
      <Home data={data} />
    </Suspense>
  )
}
