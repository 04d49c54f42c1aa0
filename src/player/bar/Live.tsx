import { cx } from '#src/ui/cx.ts'
import styles from './Live.module.css'

/** Somebody is live on air. */
export function Live({ host, className }: { host: string | null; className?: string }) {
  if (host === null) return null
  return (
    <span className={cx(styles.live, className)}>
      <b>Live</b>
      {host && <bdi>{host}</bdi>}
    </span>
  )
}
