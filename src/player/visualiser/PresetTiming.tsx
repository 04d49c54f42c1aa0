import { useEffect, useId, useRef } from 'react'
import slider from '#src/ui/Slider.module.css'
import styles from './PresetTiming.module.css'
import { BLEND_SECONDS, CYCLE_SECONDS, setSettings, useSettings } from './settings.ts'

export function PresetTiming() {
  const { cycleSeconds, blendSeconds } = useSettings()
  return (
    <div className={styles.timing}>
      <Seconds
        label="Change every"
        range={CYCLE_SECONDS}
        value={cycleSeconds}
        onChange={(value) => setSettings({ cycleSeconds: value })}
      />
      <Seconds
        label="Blend over"
        range={BLEND_SECONDS}
        value={blendSeconds}
        onChange={(value) => setSettings({ blendSeconds: value })}
      />
    </div>
  )
}

type SecondsProps = {
  label: string
  range: { min: number; max: number; step: number }
  value: number
  onChange: (value: number) => void
}

function Seconds({ label, range, value, onChange }: SecondsProps) {
  const id = useId()
  const scale = useRef<HTMLSpanElement>(null)
  const at = (value - range.min) / (range.max - range.min)

  useEffect(() => scale.current?.style.setProperty('--at', `${at * 100}%`), [at])

  return (
    <div className={styles.seconds}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.scale} ref={scale}>
        <input
          id={id}
          className={slider.slider}
          type="range"
          {...range}
          value={value}
          aria-valuetext={`${value} seconds`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      </span>
      <output className="data" htmlFor={id}>
        {value} s
      </output>
    </div>
  )
}
