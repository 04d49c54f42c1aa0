import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isAppleMobile } from '#src/player/audio/audioGraph.ts'
import { cx } from '#src/ui/cx.ts'
import { useEarlyChange } from '#src/ui/hydration.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import slider from '#src/ui/Slider.module.css'
import styles from './VolumeControl.module.css'

type VolumeControlProps = {
  value: number
  muted: boolean
  onChange: (value: number) => void
  onMute: () => void
  className?: string
}

export function VolumeControl({ value, muted, onChange, onMute, className }: VolumeControlProps) {
  const scale = useRef<HTMLLabelElement>(null)
  const change = (event: { target: HTMLInputElement }) => onChange(event.target.valueAsNumber)
  const audibleVolume = muted ? 0 : value
  const Icon = audibleVolume === 0 ? VolumeX : audibleVolume < 0.5 ? Volume1 : Volume2

  // iOS does not let pages change the volume
  const [isFixed, setIsFixed] = useState(false)
  useEffect(() => setIsFixed(isAppleMobile()), [])

  useEffect(() => scale.current?.style.setProperty('--volume', `${audibleVolume * 100}%`), [audibleVolume])

  return (
    <div className={cx(styles.volume, className)}>
      <IconButton icon={Icon} label={muted ? 'Unmute' : 'Mute'} className={styles.mute} onClick={onMute} />
      <label className={styles.scale} ref={scale} hidden={isFixed}>
        <span className="visually-hidden">Volume</span>
        <input
          ref={useEarlyChange(change)}
          className={slider.slider}
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={value}
          aria-valuetext={`${Math.round(value * 100)} %${muted ? ', muted' : ''}`}
          onChange={change}
        />
      </label>
    </div>
  )
}
