import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { reload } from 'vike/client/router'
import { useData } from 'vike-react/useData'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'
import { type Failed, isFailed } from './load.ts'
import styles from './loaded.module.css'

/** A page that shows its data, or its own alert where they could not be read. */
export function loaded<T>(title: string, Screen: (props: { data: Exclude<T, Failed> }) => ReactNode) {
  return function Page() {
    const data = useData<T>()
    if (!isFailed(data)) return <Screen data={data as Exclude<T, Failed>} />
    return (
      <div className="wrap">
        <PageHead title={title} />
        <div className={styles.failure}>
          <Alert>{data.error}</Alert>
          <TryAgain />
        </div>
      </div>
    )
  }
}

/** Reads the data of the page again, without stopping the music. */
export function TryAgain() {
  return (
    <Button onClick={() => void reload()}>
      <RotateCw className="icon" />
      Try again
    </Button>
  )
}
