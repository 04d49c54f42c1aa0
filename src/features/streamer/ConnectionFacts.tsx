import type { SourceConnection } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import styles from './ConnectionFacts.module.css'

/** Shows the settings that every program needs. */
export function ConnectionFacts({ connection }: { connection: SourceConnection }) {
  const { host, port, isSecure, mount, testMount, user } = connection
  return (
    <dl className={styles.facts}>
      <Fact label={t('streamer.server')} value={host} copyLabel={t('streamer.copyServer')} />
      <Fact label={t('streamer.port')} value={String(port)} copyLabel={t('streamer.copyPort')} />
      <Fact label={t('streamer.security')} value={isSecure ? 'TLS' : t('streamer.noSecurity')} />
      <Fact label={t('streamer.mount')} value={mount} copyLabel={t('streamer.copyMount')} />
      <Fact
        label={t('streamer.testMount')}
        value={testMount}
        note={t('streamer.testMountNote')}
        copyLabel={t('streamer.copyTestMount')}
      />
      <Fact label={t('streamer.user')} value={user} copyLabel={t('streamer.copyUser')} />
      <Fact label={t('streamer.password')} value="••••••••" note={t('streamer.passwordNote')} />
    </dl>
  )
}

type FactProps = {
  label: string
  value: string
  note?: string
  /** label of the copy button; omit it to hide the button */
  copyLabel?: string
}

function Fact({ label, value, note, copyLabel }: FactProps) {
  return (
    <div>
      <dt className="label">{label}</dt>
      <dd>
        {value} {note && <span className={styles.note}>{note}</span>}
      </dd>
      {copyLabel && (
        <dd>
          <CopyButton text={value} label={copyLabel} />
        </dd>
      )}
    </div>
  )
}
