import { t } from '#src/i18n/t.ts'
import styles from './LevelMeter.module.css'
import type { Level } from './sourceCalls.ts'
import { formatDecibels } from './sourceTexts.ts'

/** Lowest level on the scale, in dBFS. */
const FLOOR_DB = -60
const MARKS = [-60, -48, -36, -24, -12, 0]

const clamp = (decibels: number) => Math.min(0, Math.max(FLOOR_DB, decibels))
const toPercent = (decibels: number) => `${100 * (1 - clamp(decibels) / FLOOR_DB)}%`

/** Shows the loudness (RMS) of the last second as ticks, and its peak as a mark. */
export function LevelMeter({ level }: { level: Level }) {
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
      <p className={styles.scale} aria-hidden="true">
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
