import { Unplug } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { RelativeTime } from '#src/ui/Time.tsx'
import { LevelMeter } from './LevelMeter.tsx'
import styles from './SourcePanel.module.css'
import type { SourceView } from './sourceCalls.ts'
import { describeLevel, describeState, formatTitle, stateTexts } from './sourceTexts.ts'

type SourcePanelProps = { source: SourceView; onAir: string | null; onDisconnect: () => void }

/** Shows an own source as a device: its state, its level and what to do about them. */
export function SourcePanel({ source, onAir, onDisconnect }: SourcePanelProps) {
  const { state, level, client, format, kilobitsPerSecond, mount, connectedAt, title } = source
  const hint = describeLevel(level)
  return (
    <article className={cx('console', styles.device)} aria-label={t('streamer.sourceOn', { mount })}>
      <header className={styles.head}>
        <p className={styles.state} data-state={state}>
          {stateTexts[state]()}
        </p>
        <p className={styles.text}>{describeState(state, onAir)}</p>
        <Button size="small" onClick={onDisconnect}>
          <Unplug className="icon icon-s" />
          {t('streamer.disconnect')}
        </Button>
      </header>
      {level && <LevelMeter level={level} />}
      <p className={cx(styles.hint, hint.isProblem && styles.problem)} role="status">
        {hint.text}
      </p>
      <Facts
        facts={[
          [t('field.title'), title ? formatTitle(title) : t('streamer.noTitle')],
          [t('streamer.program'), client || t('streamer.unknown')],
          [t('streamer.format'), format],
          [t('streamer.bitRate'), `${Math.round(kilobitsPerSecond)} kbit/s`],
          [t('streamer.mount'), mount],
          [t('streamer.connectedSince'), <RelativeTime key="since" date={connectedAt} />],
        ]}
      />
    </article>
  )
}
