import { useEffect, useRef } from 'react'
import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import { countTicks, drawTicks } from './drawTicks.ts'
import styles from './LevelHistory.module.css'
import { getRecentLevels, subscribeLevels, useLevelsAnimated } from './levels.ts'

export function LevelHistory({ className, alignTop }: { className?: string; alignTop?: boolean }) {
  return (
    <div className={cx(styles.level, className)} aria-hidden="true">
      {useLevelsAnimated() ? <Ticks alignTop={alignTop} /> : <Ruler tall={!alignTop} className={styles.rest} />}
    </div>
  )
}

function Ticks({ alignTop }: { alignTop?: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(
    () =>
      subscribeLevels((_levels, isNewSample) => {
        const element = canvas.current
        if (!element || !isNewSample) return
        const count = countTicks(element)
        const heights = getRecentLevels(count)
        const blank = count - heights.length
        drawTicks(element, {
          heights: [...Array<number>(blank).fill(0), ...heights],
          highlighted: [blank, count],
          alignTop,
        })
      }),
    [alignTop],
  )

  return <canvas className={styles.ticks} ref={canvas} />
}
