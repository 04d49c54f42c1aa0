import type { ReactNode } from 'react'
import type { SourceConnection } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { CopyFact, CopyFacts } from '#src/ui/CopyFacts.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
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
        <div className={`stack ${styles.columns}`}>
          <div className={styles.main}>
            {children}
            <p className={styles.unscripted}>{t('streamer.unscripted')}</p>
          </div>
          <div className={styles.aside}>
            <Section id="connection" title={t('streamer.connection')}>
              <ConnectionFacts connection={connection} />
            </Section>
            <Section id="programs" title={t('streamer.programs')}>
              <ProgramSettings connection={connection} />
            </Section>
          </div>
        </div>
      ) : (
        <div className={`stack ${styles.columns}`}>
          <EmptyState>{t('streamer.azuracast')}</EmptyState>
        </div>
      )}
    </div>
  )
}

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 className="h3" id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Shows the settings that every program needs. */
function ConnectionFacts({ connection }: { connection: SourceConnection }) {
  const { host, port, isSecure, mount, testMount, user } = connection
  return (
    <CopyFacts>
      <CopyFact label={t('site.server')} value={host} copyLabel={t('site.copyServer')} />
      <CopyFact label={t('site.port')} value={String(port)} copyLabel={t('site.copyPort')} />
      <CopyFact label={t('streamer.security')} value={isSecure ? 'TLS' : t('streamer.noSecurity')} />
      <CopyFact label={t('streamer.mount')} value={mount} copyLabel={t('streamer.copyMount')} />
      <CopyFact
        label={t('streamer.testMount')}
        value={testMount}
        note={t('streamer.testMountNote')}
        copyLabel={t('streamer.copyTestMount')}
      />
      <CopyFact label={t('streamer.user')} value={user} copyLabel={t('streamer.copyUser')} />
      <CopyFact label={t('auth.password')} value="••••••••" note={t('streamer.passwordNote')} />
    </CopyFacts>
  )
}
