import { Volume2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import styles from './Volume.module.css'

type VolumeProps = { value: number; onChange: (value: number) => void }

/** The volume as a wedge, 0 to 1. */
export function Volume({ value, onChange }: VolumeProps) {
  const scale = useRef<HTMLSpanElement>(null)

  useEffect(() => scale.current?.style.setProperty('--volume', `${value * 100}%`), [value])

  return (
    <label className={styles.volume}>
      <Volume2 className="icon" />
      <span className="visually-hidden">Volume</span>
      <span className={styles.scale} ref={scale}>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={value}
          aria-valuetext={`${Math.round(value * 100)} %`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      </span>
    </label>
  )
}
