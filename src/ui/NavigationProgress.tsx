import { t } from '#src/i18n/t.ts'
import { slowNavigation } from '#src/lib/slowNavigation.ts'
import styles from './NavigationProgress.module.css'

export function NavigationProgress() {
  return (
    <div role="status">
      {slowNavigation.useValue() && (
        <>
          <div className={styles.bar} />
          <span className="visually-hidden">{t('ui.loadingPage')}</span>
        </>
      )}
    </div>
  )
}
