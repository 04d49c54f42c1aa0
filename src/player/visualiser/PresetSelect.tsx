import { base, extra } from 'virtual:presets'
import type { ComponentProps } from 'react'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import select from '#src/ui/Select.module.css'
import { resolvePreset } from './presetNames.ts'

export function PresetSelect({ className }: Pick<ComponentProps<'select'>, 'className'>) {
  const preset = resolvePreset(usePlayer().preset)
  return (
    <select
      className={cx(select.select, className)}
      aria-label="Visualiser preset"
      value={preset}
      onChange={(event) => setPlayer({ preset: event.target.value })}
    >
      {Object.entries({ Base: base, Extra: extra }).map(([label, names]) => (
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
