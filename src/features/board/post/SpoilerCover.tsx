import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import styles from './SpoilerCover.module.css'

/** Covers an image until the reader uncovers it. A checkbox does this without scripts. */
export function SpoilerCover({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.cover}>
      {children}
      <span className={styles.lid}>
        <input type="checkbox" autoComplete="off" aria-label={t('board.showSpoiler', { name })} />
        <span aria-hidden="true">{t('board.spoiler')}</span>
      </span>
    </div>
  )
}
