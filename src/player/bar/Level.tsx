import { useEffect, useRef } from 'react'
import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './Level.module.css'
import { lastLevels, watchLevels } from './levels.ts'
import { drawTicks, ticksIn } from './ticks.ts'
import { useMoving } from './useMoving.ts'

/** How loud the radio was just now, newest at the right; a ruler as long as nothing is measured. */
export function Level({ className, hanging }: { className?: string; hanging?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isMoving = useMoving()

  useEffect(() => {
    if (!isMoving) return
    return watchLevels((_levels, isNewSample) => {
      const element = canvas.current
      if (!element || !isNewSample) return
      const count = ticksIn(element)
      const heights = lastLevels(count)
      const blank = count - heights.length
      drawTicks(element, { heights: [...Array<number>(blank).fill(0), ...heights], lit: [blank, count], hanging })
    })
  }, [isMoving, hanging])

  return (
    <div className={cx(styles.level, className)} aria-hidden="true">
      {isMoving ? <canvas className={styles.ticks} ref={canvas} /> : <Ruler tall={!hanging} className={styles.rest} />}
    </div>
  )
}
