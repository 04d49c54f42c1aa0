import { ChevronDown } from 'lucide-react'
import type { SourceConnection } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { cx } from '#src/ui/cx.ts'
import styles from './GoLiveScreen.module.css'
import { passwordPlaceholder, programs } from './programs.ts'

/** Ready-made settings for common programs. Each opens without script. */
export function ProgramSettings({ connection }: { connection: SourceConnection }) {
  return (
    <div className="ruled">
      {programs.map(({ name, hint, canUseTls, settings }) => {
        const text = settings(connection)
        return (
          <details key={name} className="accordion" name="program">
            <summary className={styles.head}>
              <span className={styles.name}>{name}</span> <span className={cx('hint', styles.hint)}>{hint()}</span>
              <ChevronDown className="icon icon-s chevron" />
            </summary>
            <div className={cx('stack', styles.body)}>
              {connection.isSecure && !canUseTls && (
                <p className={styles.warning}>{t('streamer.noTls', { program: name })}</p>
              )}
              <div className="snippet">
                <pre translate="no">
                  <code>{text}</code>
                </pre>
                <CopyButton text={`${text}\n`} label={t('streamer.copySettings', { program: name })} />
              </div>
            </div>
          </details>
        )
      })}
      <p className={cx('hint', styles.foot)}>{t('streamer.otherPrograms', { placeholder: passwordPlaceholder() })}</p>
    </div>
  )
}
