import { useEffect, useRef } from 'react'
import styles from './Level.module.css'
import { lastLevels, watchLevels } from './levels.ts'
import { drawTicks, ticksIn } from './ticks.ts'

/** Draws the last levels as ticks, newest at the right. */
export function LevelCanvas({ hanging }: { hanging?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(
    () =>
      watchLevels((_levels, isNewSample) => {
        const element = canvas.current
        if (!element || !isNewSample) return
        const count = ticksIn(element)
        const heights = lastLevels(count)
        const blank = count - heights.length
        drawTicks(element, { heights: [...Array<number>(blank).fill(0), ...heights], lit: [blank, count], hanging })
      }),
    [hanging],
  )

  return <canvas className={styles.ticks} ref={canvas} />
}
