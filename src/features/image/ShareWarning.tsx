import { ShieldAlert } from 'lucide-react'
import { rich, t } from '#src/i18n/t.ts'
import styles from './ShareWarning.module.css'

export function ShareWarning() {
  return (
    <div className={styles.warning} role="note" aria-label={t('image.warning')}>
      <ShieldAlert className="icon" />
      <ul>
        <li>{rich('image.warningPublic', { b: (text) => <strong>{text}</strong> })}</li>
        <li>{t('image.warningLiability')}</li>
        <li>{t('image.warningLaws')}</li>
        <li>{t('image.warningExpiry')}</li>
      </ul>
    </div>
  )
}
