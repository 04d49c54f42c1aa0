import { Suspense } from 'react'
import { later } from '#src/ui/later.tsx'
import { loaded } from '../../../../../loaded.tsx'
import styles from '../../../waiting.module.css'
import type { Data } from './+data.ts'

const Thread = later('main', () => import('./Thread.tsx').then((module) => module.Thread))

export default loaded<Data>('Thread', ({ data }) => (
  <Suspense fallback={<div className={styles.waiting} />}>
    <Thread data={data} />
  </Suspense>
))
