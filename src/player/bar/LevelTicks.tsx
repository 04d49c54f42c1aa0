import { useEffect, useRef } from 'react'
import { countTicks, drawTicks } from './drawTicks.ts'
import styles from './LevelHistory.module.css'
import { getRecentLevels, subscribeLevels } from './levels.ts'

/** Draws the levels of the last seconds. Loads when something plays. */
export function LevelTicks({ alignTop }: { alignTop?: boolean | undefined }) {
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
