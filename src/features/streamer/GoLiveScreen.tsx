import type { ReactNode } from 'react'
import type { SourceConnection } from '#src/contract/streamer.ts'
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
      <PageHeader title="Go live" lead="Stream to the radio from your own program" />
      {connection ? (
        <div className={styles.columns}>
          <div className={styles.main}>
            {children}
            <p className={styles.unscripted}>The level test needs JavaScript. The settings work without it.</p>
          </div>
          <div className={styles.aside}>
            <section className={styles.section} aria-labelledby="connection">
              <h2 className={styles.title} id="connection">
                Connection
              </h2>
              <ConnectionFacts connection={connection} />
            </section>
            <section className={styles.section} aria-labelledby="programs">
              <h2 className={styles.title} id="programs">
                Settings for programs
              </h2>
              <ProgramSettings connection={connection} />
            </section>
          </div>
        </div>
      ) : (
        <div className={styles.columns}>
          <EmptyState>
            The radio of this site is an AzuraCast. Its admins create streaming accounts there, and it shows the
            settings.
          </EmptyState>
        </div>
      )}
    </div>
  )
}
