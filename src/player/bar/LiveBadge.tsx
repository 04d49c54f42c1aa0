import { t } from '#src/i18n/t.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './LiveBadge.module.css'

export function LiveBadge({ host, className }: { host: string | null; className?: string }) {
  if (host === null) return null
  return (
    <span className={cx(styles.live, className)}>
      <b>{t('player.live')}</b>
      {host && <bdi>{host}</bdi>}
    </span>
  )
}
