import { cx } from '#src/ui/cx.ts'
import styles from './LiveBadge.module.css'

export function LiveBadge({ host, className }: { host: string | null; className?: string }) {
  if (host === null) return null
  return (
    <span className={cx(styles.live, className)}>
      <b>Live</b>
      {host && <bdi>{host}</bdi>}
    </span>
  )
}
