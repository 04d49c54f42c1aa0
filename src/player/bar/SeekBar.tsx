import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { recordingPosition, seek } from '#src/player/engine.ts'
import { cx } from '#src/ui/cx.ts'
import slider from '#src/ui/Slider.module.css'
import { countTicks, drawTicks } from './LevelTicks.tsx'
import { getRecordingWaveform, subscribeLevels } from './levels.ts'
import styles from './SeekBar.module.css'
import { usePosition } from './usePosition.ts'

const SEEK_DEBOUNCE_MS = 200
/** Tick heights in the part not yet played, as fractions of the canvas height. */
const LONG_TICK = 0.28
const SHORT_TICK = 0.12
const STEPS: Record<string, number> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -60,
  PageUp: 60,
}

export function SeekBar({ className }: { className?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const finishSeek = useRef(() => {})
  const [draggedPosition, setDragged] = useState<number | null>(null)
  const { elapsed, duration } = usePosition()
  const displayedPosition = draggedPosition ?? elapsed

  useEffect(() => {
    const draw = () => canvas.current && drawSeek(canvas.current, duration > 0 ? displayedPosition / duration : 0)
    const observer = new ResizeObserver(draw)
    if (canvas.current) observer.observe(canvas.current)
    const stop = subscribeLevels((_levels, isNewSample) => isNewSample && draw())
    draw()
    return () => {
      observer.disconnect()
      stop()
    }
  }, [displayedPosition, duration])

  // Finishes a pending seek when a layout change unmounts the seek bar.
  useEffect(() => () => finishSeek.current(), [])

  function requestSeek(seconds: number) {
    const place = Math.max(0, Math.min(seconds, duration))
    setDragged(place)
    clearTimeout(timer.current)
    finishSeek.current = () => {
      clearTimeout(timer.current)
      finishSeek.current = () => {}
      seek(place)
      setDragged(null)
    }
    timer.current = setTimeout(() => finishSeek.current(), SEEK_DEBOUNCE_MS)
  }

  function handleKeyDown(event: KeyboardEvent) {
    const seconds = STEPS[event.key]
    if (seconds === undefined) return
    event.preventDefault()
    // Starts from the exact position, because `elapsed` is rounded to whole seconds.
    requestSeek((draggedPosition ?? recordingPosition().position) + seconds)
  }

  return (
    <div className={cx(styles.seek, className)}>
      <canvas className={styles.ticks} ref={canvas} />
      <input
        className={slider.slider}
        type="range"
        min={0}
        max={duration}
        value={displayedPosition}
        aria-label={t('player.position')}
        aria-valuetext={t('player.positionValue', {
          time: formatClockTime(displayedPosition),
          duration: formatClockTime(duration),
        })}
        onChange={(event) => requestSeek(event.target.valueAsNumber)}
        onKeyDown={handleKeyDown}
      />
    </div>
  )
}

function drawSeek(canvas: HTMLCanvasElement, played: number) {
  const count = countTicks(canvas)
  const parts = getRecordingWaveform()
  const heights = Array.from({ length: count }, (_, tick) => {
    const heard = parts.subarray((tick / count) * parts.length, Math.ceil(((tick + 1) / count) * parts.length))
    return Math.max(tick % 10 === 0 ? LONG_TICK : SHORT_TICK, ...heard)
  })
  drawTicks(canvas, { heights, highlighted: [0, played * count] })
}
