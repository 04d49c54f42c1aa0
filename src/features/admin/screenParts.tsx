import type { ReactNode } from 'react'
import type { StoredKind } from '#src/contract/operations.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import styles from './screens.module.css'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack ${styles.section}`}>
      <h2 className="label">{title}</h2>
      {children}
    </section>
  )
}

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

/** Returns a duration in its largest unit, such as '0.05 s', '20 s', '5 min', '6 h' or '7 d'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return t('admin.durationSeconds', { count: formatNumber(seconds, { maximumSignificantDigits: 2 }) })
  if (seconds < 3600) return t('time.minutes', { count: Math.round(seconds / 60) })
  if (seconds < 48 * 3600) return t('time.hours', { count: Math.round(seconds / 3600) })
  return t('admin.durationDays', { count: Math.round(seconds / 86_400) })
}
