import { ChevronDown } from 'lucide-react'
import type { SourceConnection } from '#src/contract/streamer.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { cx } from '#src/ui/cx.ts'
import styles from './ProgramSettings.module.css'
import { PASSWORD_PLACEHOLDER, programs } from './programs.ts'

/** Ready-made settings for common programs. Each opens without script. */
export function ProgramSettings({ connection }: { connection: SourceConnection }) {
  return (
    <div className={styles.programs}>
      {programs.map(({ name, hint, canUseTls, settings }) => {
        const text = settings(connection)
        return (
          <details key={name} className={cx('accordion', styles.program)} name="program">
            <summary className={styles.head}>
              <span className={styles.name}>{name}</span>
              <span className={styles.hint}>{hint}</span>
              <ChevronDown className="icon icon-s" />
            </summary>
            <div className={styles.body}>
              {connection.isSecure && !canUseTls && (
                <p className={styles.warning}>
                  {name} cannot use TLS, which this server expects. Ask the admins for a port without TLS (setting
                  LIVE_URL), or take another program.
                </p>
              )}
              <div className={styles.text}>
                <pre>
                  <code>{text}</code>
                </pre>
                <CopyButton text={`${text}\n`} label={`Copy settings for ${name}`} className={styles.copy} />
              </div>
            </div>
          </details>
        )
      })}
      <p className={cx('hint', styles.foot)}>
        Replace {PASSWORD_PLACEHOLDER} by your streaming password. Other programs work too, if they stream to Icecast in
        MP3, AAC, Ogg Vorbis or Ogg Opus.
      </p>
    </div>
  )
}
