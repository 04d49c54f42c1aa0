import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { reload } from 'vike/client/router'
import { useData } from 'vike-react/useData'
import { usePageContext } from 'vike-react/usePageContext'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import styles from './dataPage.module.css'
import { createHeadContext } from './head.ts'
import { isFailed, type Loaded } from './pageData.ts'

/** Creates a page that shows its data, or its title and an alert if the data did not load. */
export function createDataPage<T>(Screen: (props: { data: Loaded<T> }) => ReactNode) {
  return function Page() {
    const data = useData<T>()
    const pageContext = usePageContext()
    if (!isFailed(data)) return <Screen data={data as Loaded<T>} />
    return (
      <div className="wrap">
        <PageHeader title={pageContext.config.head?.title?.(createHeadContext(pageContext)) ?? ''} />
        <div className={`stack ${styles.failure}`}>
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
