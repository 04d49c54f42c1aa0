import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { formatClockTime } from './formatTime.ts'
import styles from './PlaybackTime.module.css'
import { type Position, usePosition } from './usePosition.ts'

export function PlaybackTime({ className, apart }: { className?: string; apart?: boolean }) {
  const { source, nowPlaying } = usePlayer()
  const position: Position = usePosition()
  if (source.kind === 'live' && !nowPlaying?.online) return null
  return (
    <span className={cx(styles.times, apart && styles.apart, className)}>
      <span className={styles.at}>{formatClockTime(position.elapsed)}</span>
      {position.duration > 0 && <span className={styles.duration}>{formatClockTime(position.duration)}</span>}
    </span>
  )
}
