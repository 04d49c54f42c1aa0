import { type ComponentType, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './GoLiveScreen.module.css'

type LazySectionProps<Props> = {
  id: string
  title: string
  load: () => Promise<ComponentType<Props>>
  props: Props
}

/** A part of the page that only some users load. */
export function LazySection<Props extends object>({ id, title, load, props }: LazySectionProps<Props>) {
  const [hasFailed, setHasFailed] = useState(false)
  const Content = useLazyComponent<Props>(load, true, () => setHasFailed(true))
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      {hasFailed && <Alert>{t('ui.notLoaded')}</Alert>}
      {Content ? (
        <Content {...props} />
      ) : (
        !hasFailed && (
          <p className="hint" role="status">
            {t('ui.loading')}
          </p>
        )
      )}
    </section>
  )
}
