import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { reload } from 'vike/client/router'
import { useData } from 'vike-react/useData'
import type { SiteFacts } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.tsx'
import styles from './dataPage.module.css'
import { isFailed, type LoadFailure } from './pageData.ts'

/**
 * Creates a page that shows its data, or an alert if the data did not load.
 * @param title also as a function of the site's facts
 */
export function createDataPage<T>(
  title: string | ((site: SiteFacts) => string),
  Screen: (props: { data: Exclude<T, LoadFailure> }) => ReactNode,
) {
  return function Page() {
    const data = useData<T>()
    const site = useSite()
    if (!isFailed(data)) return <Screen data={data as Exclude<T, LoadFailure>} />
    return (
      <div className="wrap">
        <PageHeader title={typeof title === 'string' ? title : title(site)} />
        <div className={styles.failure}>
          <Alert>{data.error}</Alert>
          <TryAgain />
        </div>
      </div>
    )
  }
}

/** Reloads the page's data without stopping the music. */
export function TryAgain() {
  return (
    <Button onClick={() => void reload()}>
      <RotateCw className="icon" />
      {t('ui.tryAgain')}
    </Button>
  )
}
