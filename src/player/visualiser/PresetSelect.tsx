import { base, extra } from 'virtual:presets'
import type { ComponentProps } from 'react'
import { t } from '#src/i18n/t.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import select from '#src/ui/Select.module.css'
import { resolvePreset } from './presetNames.ts'

export function PresetSelect({ className }: Pick<ComponentProps<'select'>, 'className'>) {
  const preset = resolvePreset(usePlayer().preset)
  const groups = [
    [t('player.basePresets'), base],
    [t('player.extraPresets'), extra],
  ] as const
  return (
    <select
      className={cx(select.select, className)}
      aria-label={t('player.visualiserPreset')}
      value={preset}
      onChange={(event) => setPlayer({ preset: event.target.value })}
    >
      {groups.map(([label, names]) => (
        <optgroup key={label} label={label}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
