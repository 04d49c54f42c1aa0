import { cx } from './cx.ts'
import styles from './TickLevels.module.css'

type TickLevelsProps = {
  /** oldest first */
  counts: number[]
  /** number of counts that fill the width */
  slots: number
  /** number of newest counts that are drawn in the accent colour */
  recent: number
  className?: string | undefined
}

/** The count that fills the height when no count is higher, so that one post does not look like a busy day. */
const FULL_HEIGHT = 4
/** Lowest level in percent, so that every count is visible. */
const MIN_LEVEL = 20

/** Draws counts as levels of ticks. An SVG needs no style attributes, which the policy forbids, and no script. */
export function TickLevels({ counts, slots, recent, className }: TickLevelsProps) {
  const max = Math.max(...counts, FULL_HEIGHT)
  const draw = (from: number, to: number) =>
    counts
      .slice(from, to)
      .map((count, index) => {
        const top = 100 - Math.max(MIN_LEVEL, Math.round((count / max) * 100))
        return count === 0 ? '' : `M${from + index} ${top}h1V100h-1z`
      })
      .join('')
  const split = Math.max(0, counts.length - recent)
  return (
    <svg
      className={cx(styles.levels, className)}
      viewBox={`0 0 ${slots} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={draw(0, split)} />
      <path className={styles.recent} d={draw(split, counts.length)} />
    </svg>
  )
}
