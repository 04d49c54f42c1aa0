import { useEffect, useId, useRef } from 'react'
import { t } from '#src/i18n/t.ts'
import slider from '#src/ui/Slider.module.css'
import styles from './PresetPanel.module.css'
import { BLEND_SECONDS, CYCLE_SECONDS, setSettings, useSettings } from './settings.ts'

export function PresetTiming() {
  return (
    <div className={styles.timing}>
      <Seconds label={t('player.changeInterval')} setting="cycleSeconds" range={CYCLE_SECONDS} />
      <Seconds label={t('player.blendTime')} setting="blendSeconds" range={BLEND_SECONDS} />
    </div>
  )
}

type SecondsProps = {
  label: string
  setting: 'cycleSeconds' | 'blendSeconds'
  range: { min: number; max: number; step: number }
}

function Seconds({ label, setting, range }: SecondsProps) {
  const value = useSettings()[setting]
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
          aria-valuetext={t('player.seconds', { count: value })}
          onChange={(event) => setSettings({ [setting]: event.target.valueAsNumber })}
        />
      </span>
      <output className="data" htmlFor={id}>
        {t('player.secondsShort', { count: value })}
      </output>
    </div>
  )
}
