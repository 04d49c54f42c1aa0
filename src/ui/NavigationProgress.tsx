import { useSyncExternalStore } from 'react'
import { isNavigationSlow, subscribeNavigation } from '#src/lib/slowNavigation.ts'
import styles from './NavigationProgress.module.css'

export function NavigationProgress() {
  const shown = useSyncExternalStore(subscribeNavigation, isNavigationSlow, () => false)
  return (
    <div role="status">
      {shown && (
        <>
          <div className={styles.bar} />
          <span className="visually-hidden">Loading the page</span>
        </>
      )}
    </div>
  )
}
