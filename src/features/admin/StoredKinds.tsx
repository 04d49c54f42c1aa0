import type { StoredKind } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import styles from './screens.module.css'

const labels: Record<StoredKind['kind'], () => string> = {
  image: () => t('board.images'),
  paste: () => t('site.pastes'),
}

/** Shows the stored bytes of each kind against its quota. */
export function StoredKinds({ stored }: { stored: StoredKind[] }) {
  return (
    <dl className={`stack ${styles.kinds}`}>
      {stored.map(({ kind, bytes, quota }) => (
        <div key={kind}>
          <dt>{labels[kind]()}</dt>
          <dd>
            <span className="data">{t('admin.stored', { size: formatBytes(bytes), quota: formatBytes(quota) })}</span>
            {/* The text beside it gives the numbers. */}
            <progress value={quota === 0 ? 1 : bytes / quota} aria-hidden="true" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
