import styles from './Level.module.css'

/** Decoration: draws a fraction from 0 to 1 as lit ticks. The text beside it gives the numbers. */
export function Level({ fraction }: { fraction: number }) {
  const percent = Math.min(Math.max(fraction, 0), 1) * 100
  return (
    <div className={styles.level} aria-hidden="true">
      <div className={styles.lit} ref={(element) => element?.style.setProperty('--level', `${percent}%`)} />
    </div>
  )
}
