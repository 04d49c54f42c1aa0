import { useEffect, useRef } from 'react'
import { formatNumber } from '#src/i18n/formatText.ts'
import styles from './ChannelMeters.module.css'
import { FLOOR_DB, subscribeLevels } from './levels.ts'
import { useLevelsAnimated } from './useLevelsAnimated.ts'

const PEAK_HOLD_MS = 1500
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

export function ChannelMeters() {
  const isAnimated = useLevelsAnimated()
  return (
    <div className={styles.meters} aria-hidden="true">
      <Meter name="L" channel="left" isAnimated={isAnimated} />
      <Meter name="R" channel="right" isAnimated={isAnimated} />
      <span className={styles.scale}>
        {['−40', '−30', '−20', '−10', '0'].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </span>
    </div>
  )
}

function Meter({ name, channel, isAnimated }: { name: string; channel: 'left' | 'right'; isAnimated: boolean }) {
  const bar = useRef<HTMLSpanElement>(null)
  const figure = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    if (!isAnimated) return
    let peak = Number.NEGATIVE_INFINITY
    let peakAt = 0
    const stop = subscribeLevels((levels) => {
      const now = performance.now()
      const { rms, peak: highest } = levels[channel]
      if (highest >= peak || now - peakAt > PEAK_HOLD_MS) {
        peak = highest
        peakAt = now
      }
      bar.current?.style.setProperty('--level', toPercent(rms))
      bar.current?.style.setProperty('--peak', toPercent(peak))
      if (figure.current) figure.current.textContent = Number.isFinite(peak) ? formatPeak(peak) : ''
    })
    const element = bar.current
    return () => {
      stop()
      element?.style.removeProperty('--level')
      element?.style.removeProperty('--peak')
      if (figure.current) figure.current.textContent = ''
    }
  }, [isAnimated, channel])

  return (
    <>
      <span className="data">{name}</span>
      <span className={styles.bar} ref={bar} />
      <span className={styles.figure} ref={figure} />
    </>
  )
}

const formatPeak = (decibels: number) => formatNumber(decibels, ONE_DECIMAL).replace('-', '−')

const toPercent = (decibels: number) => `${Math.min(100, Math.max(0, 100 * (1 - decibels / FLOOR_DB)))}%`
