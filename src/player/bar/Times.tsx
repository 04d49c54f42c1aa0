import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { type Position, usePosition } from './position.ts'
import styles from './Times.module.css'
import { clockTime } from './time.ts'

/** Elapsed and duration, where they are known. */
export function Times({ className, apart }: { className?: string; apart?: boolean }) {
  const { source, nowPlaying } = usePlayer()
  const position: Position = usePosition()
  if (source.kind === 'live' && !nowPlaying?.online) return null
  return (
    <span className={cx(styles.times, apart && styles.apart, className)}>
      <span className={styles.at}>{clockTime(position.at)}</span>
      {position.duration > 0 && <span className={styles.duration}>{clockTime(position.duration)}</span>}
    </span>
  )
}
