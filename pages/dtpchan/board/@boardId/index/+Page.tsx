import { Suspense } from 'react'
import { later } from '#src/ui/later.tsx'
import { loaded } from '../../../../loaded.tsx'
import styles from '../../waiting.module.css'
import type { Data } from './+data.ts'

const Board = later('main', () => import('./Board.tsx').then((module) => module.Board))

export default loaded<Data>('Board', ({ data }) => (
  <Suspense fallback={<div className={styles.waiting} />}>
    <Board data={data} />
  </Suspense>
))
