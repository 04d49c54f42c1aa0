import { t } from '#src/i18n/t.ts'
import styles from './WaitingCount.module.css'

/** Shows how many items of the moderators' queue wait. Renders nothing for none. */
export function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      {' '}
      <span className={styles.count} aria-hidden="true">
        {count}
      </span>
      <span className="visually-hidden">{t('ui.waiting', { count })}</span>
    </>
  )
}
