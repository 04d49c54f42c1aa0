import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { isAppleMobile, setVolume, toggleMuted } from '#src/player/audio/audioGraph.ts'
import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { useEarlyChange } from '#src/ui/hydration.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import slider from '#src/ui/Slider.module.css'
import styles from './VolumeControl.module.css'

export function VolumeControl({ className }: { className?: string }) {
  const { volume, muted } = usePlayer()
  const scale = useRef<HTMLLabelElement>(null)
  const change = (event: { target: HTMLInputElement }) => setVolume(event.target.valueAsNumber)
  const percent = Math.round(volume * 100)
  const audibleVolume = muted ? 0 : volume
  const Icon = audibleVolume === 0 ? VolumeX : audibleVolume < 0.5 ? Volume1 : Volume2

  // iOS does not allow pages to change the volume.
  const [isFixed, setIsFixed] = useState(false)
  useEffect(() => setIsFixed(isAppleMobile()), [])

  useEffect(() => scale.current?.style.setProperty('--volume', `${audibleVolume * 100}%`), [audibleVolume])

  return (
    <div className={cx(styles.volume, className)}>
      <IconButton icon={Icon} label={muted ? t('player.unmute') : t('player.mute')} onClick={toggleMuted} />
      <label className={styles.scale} ref={scale} hidden={isFixed}>
        <span className="visually-hidden">{t('player.volume')}</span>
        <input
          ref={useEarlyChange(change)}
          className={slider.slider}
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={volume}
          aria-valuetext={muted ? t('player.volumeValueMuted', { percent }) : t('ui.percent', { percent })}
          onChange={change}
        />
      </label>
    </div>
  )
}
