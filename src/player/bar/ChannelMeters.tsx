import { useEffect, useRef } from 'react'
import styles from './ChannelMeters.module.css'
import { FLOOR_DB, type Levels, subscribeLevels } from './levels.ts'
import { useLevelsAnimated } from './useLevelsAnimated.ts'

/** How long a peak is shown. */
const HELD_MS = 1500

type Channel = 'left' | 'right'

/** Level and peak of both channels in dBFS. */
export function ChannelMeters() {
  const isMoving = useLevelsAnimated()
  return (
    <div className={styles.meters} aria-hidden="true">
      <Meter name="L" channel="left" isMoving={isMoving} />
      <Meter name="R" channel="right" isMoving={isMoving} />
      <span className={styles.scale}>
        <span>−40</span>
        <span>−30</span>
        <span>−20</span>
        <span>−10</span>
        <span>0</span>
      </span>
    </div>
  )
}

function Meter({ name, channel, isMoving }: { name: string; channel: Channel; isMoving: boolean }) {
  const bar = useRef<HTMLSpanElement>(null)
  const figure = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    if (!isMoving) return
    let peak = Number.NEGATIVE_INFINITY
    let peakAt = 0
    const stop = subscribeLevels((levels: Levels) => {
      const now = performance.now()
      const { rms, peak: highest } = levels[channel]
      if (highest >= peak || now - peakAt > HELD_MS) {
        peak = highest
        peakAt = now
      }
      bar.current?.style.setProperty('--level', part(rms))
      bar.current?.style.setProperty('--peak', part(peak))
      if (figure.current) figure.current.textContent = Number.isFinite(peak) ? peak.toFixed(1).replace('-', '−') : ''
    })
    const element = bar.current
    return () => {
      stop()
      element?.style.removeProperty('--level')
      element?.style.removeProperty('--peak')
      if (figure.current) figure.current.textContent = ''
    }
  }, [isMoving, channel])

  return (
    <>
      <span className="data">{name}</span>
      <span className={styles.bar} ref={bar} />
      <span className={styles.figure} ref={figure} />
    </>
  )
}

/** Converts decibels to a position on the scale. */
const part = (decibels: number) => `${Math.min(100, Math.max(0, 100 * (1 - decibels / FLOOR_DB)))}%`
