import type { ReactNode } from 'react'
import type { SourceConnection } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { ConnectionFacts } from './ConnectionFacts.tsx'
import styles from './GoLiveScreen.module.css'
import { ProgramSettings } from './ProgramSettings.tsx'

type GoLiveScreenProps = {
  /** null if the radio of the site is an AzuraCast */
  connection: SourceConnection | null
  /** the parts above the settings */
  children: ReactNode
}

/** Everyone sees the settings: they contain no password. */
export function GoLiveScreen({ connection, children }: GoLiveScreenProps) {
  return (
    <div className="wrap">
      <PageHeader title={t('streamer.goLive')} lead={t('streamer.lead')} />
      {connection ? (
        <div className={styles.columns}>
          <div className={styles.main}>
            {children}
            <p className={styles.unscripted}>{t('streamer.unscripted')}</p>
          </div>
          <div className={styles.aside}>
            <section className={styles.section} aria-labelledby="connection">
              <h2 className={styles.title} id="connection">
                {t('streamer.connection')}
              </h2>
              <ConnectionFacts connection={connection} />
            </section>
            <section className={styles.section} aria-labelledby="programs">
              <h2 className={styles.title} id="programs">
                {t('streamer.programs')}
              </h2>
              <ProgramSettings connection={connection} />
            </section>
          </div>
        </div>
      ) : (
        <div className={styles.columns}>
          <EmptyState>{t('streamer.azuracast')}</EmptyState>
        </div>
      )}
    </div>
  )
}
