import { Unplug } from 'lucide-react'
import type { MouseEventHandler } from 'react'
import { t } from '#src/i18n/t.ts'
import { Facts } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './SourcePanel.module.css'
import {
  describeLevel,
  describeState,
  formatDecibels,
  formatTitle,
  type Level,
  type SourceView,
  stateTexts,
} from './sources.ts'

type SourcePanelProps = { source: SourceView; onAir: string | null; onDisconnect: MouseEventHandler }

/** Shows an own source as a device: its state, its level and what to do about them. */
export function SourcePanel({ source, onAir, onDisconnect }: SourcePanelProps) {
  const { state, level, client, format, kilobitsPerSecond, mount, connectedAt, title } = source
  const hint = describeLevel(level)
  return (
    <article className={cx('console deck stack', styles.device)} aria-label={t('streamer.sourceOn', { mount })}>
      <header className={styles.head}>
        <p className={styles.state} data-state={state}>
          {stateTexts[state]()}
        </p>
        <p className={`small ${styles.text}`}>{describeState(state, onAir)}</p>
        <Button size="small" onClick={onDisconnect}>
          <Unplug className="icon icon-s" />
          {t('streamer.disconnect')}
        </Button>
      </header>
      {level && <LevelMeter level={level} />}
      <p className={cx('small', hint.isProblem && styles.problem)} role="status">
        {hint.text}
      </p>
      <Facts
        facts={[
          [t('field.title'), title ? formatTitle(title) : t('streamer.noTitle')],
          [t('streamer.program'), client || t('ui.unknown')],
          [t('streamer.format'), format],
          [t('streamer.bitRate'), `${Math.round(kilobitsPerSecond)} kbit/s`],
          [t('streamer.mount'), mount],
          [t('streamer.connectedSince'), <RelativeTime key="since" date={connectedAt} />],
        ]}
      />
    </article>
  )
}

/** Lowest level on the scale, in dBFS. */
const FLOOR_DB = -60
const MARKS = [-60, -48, -36, -24, -12, 0]

const clamp = (decibels: number) => Math.min(0, Math.max(FLOOR_DB, decibels))
const toPercent = (decibels: number) => `${100 * (1 - clamp(decibels) / FLOOR_DB)}%`

/** Shows the loudness (RMS) of the last second as ticks, and its peak as a mark. */
function LevelMeter({ level }: { level: Level }) {
  const { rms, peak } = level
  return (
    <div className={styles.meter}>
      <div
        className={styles.bar}
        aria-hidden="true"
        ref={(element) => {
          element?.style.setProperty('--level', toPercent(rms))
          element?.style.setProperty('--peak', toPercent(peak))
        }}
      />
      <p className={`scale ${styles.scale}`} aria-hidden="true">
        {MARKS.map((mark) => (
          <span key={mark}>{String(mark).replace('-', '−')}</span>
        ))}
      </p>
      <dl className={styles.figures}>
        <div>
          <dt className="label">{t('streamer.rms')}</dt>
          <dd>{formatDecibels(rms)}</dd>
        </div>
        <div>
          <dt className="label">{t('streamer.peak')}</dt>
          <dd>{formatDecibels(peak)}</dd>
        </div>
      </dl>
    </div>
  )
}
