import { useEffect, useRef } from 'react'
import styles from './LevelHistory.module.css'
import { getRecentLevels, subscribeLevels } from './levels.ts'

const PITCH_PX = 4
const BAR_WIDTH_PX = 2

type Ticks = {
  /** 0 to 1, leftmost tick first */
  heights: ArrayLike<number>
  /** range of highlighted ticks; `to` is exclusive */
  highlighted: [from: number, to: number]
  /** aligns the ticks with the top edge instead of centring them */
  alignTop?: boolean
}

export const countTicks = (element: HTMLElement) =>
  Math.floor((element.clientWidth + PITCH_PX - BAR_WIDTH_PX) / PITCH_PX)

/** Draws highlighted ticks in the canvas's CSS `color`, other ticks in its `caret-color`. */
export function drawTicks(canvas: HTMLCanvasElement, { heights, highlighted, alignTop }: Ticks) {
  const context = canvas.getContext('2d')
  const { clientWidth, clientHeight } = canvas
  if (!context || clientWidth === 0) return
  const scale = window.devicePixelRatio
  const width = Math.round(clientWidth * scale)
  const height = Math.round(clientHeight * scale)
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  context.clearRect(0, 0, width, height)
  const style = getComputedStyle(canvas)
  const [from, to] = highlighted
  const bar = Math.max(1, Math.round(BAR_WIDTH_PX * scale))
  for (let tick = 0; tick < heights.length; tick += 1) {
    context.fillStyle = tick >= from && tick < to ? style.color : style.caretColor
    const tall = Math.max(bar, Math.round((heights[tick] ?? 0) * height))
    const top = alignTop ? 0 : Math.round((height - tall) / 2)
    context.fillRect(Math.round(tick * PITCH_PX * scale), top, bar, tall)
  }
}

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
