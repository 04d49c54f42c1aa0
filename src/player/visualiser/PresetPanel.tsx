import { Star, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { Chip } from '#src/ui/Chip.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import styles from './PresetPanel.module.css'
import { PresetTiming } from './PresetTiming.tsx'
import { presetNames, searchPresets } from './presetNames.ts'
import { setSettings, toggleFavourite, useSettings } from './settings.ts'
import { choosePreset } from './usePreset.ts'

type PresetPanelProps = { preset: string; onClose: () => void }

/** Shows a searchable list of presets. The panel is not modal, so that the visualiser stays visible. */
export function PresetPanel({ preset, onClose }: PresetPanelProps) {
  const { favourites, onlyFavourites } = useSettings()
  const [text, setText] = useState('')
  const panel = useRef<HTMLElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = searchPresets(onlyFavourites ? favourites : presetNames, text)
  const findRadio = () => list.current?.querySelector<HTMLElement>(':checked') ?? list.current?.querySelector('input')

  useEffect(() => {
    list.current?.querySelector(':checked')?.scrollIntoView({ block: 'center' })
    // On a touch screen, focusing the search field would open a keyboard over half of the screen.
    if (matchMedia('(pointer: coarse)').matches) panel.current?.focus()
    else search.current?.focus()
  }, [])

  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={t('player.presets')}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <header className={cx('spread', styles.head)}>
        <h2 className={styles.title}>{t('player.presets')}</h2>
        <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
      </header>
      <div className={styles.filters}>
        <SearchField
          ref={search}
          aria-label={t('player.searchPresets')}
          placeholder={t('player.searchPresets')}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault()
              findRadio()?.focus()
            }
            if (event.key === 'Enter' && shown[0] !== undefined) choosePreset(shown[0])
          }}
        />
        <fieldset className="cluster" aria-label={t('player.presetsShown')}>
          <Chip
            name="presets"
            count={presetNames.length}
            checked={!onlyFavourites}
            onChange={() => setSettings({ onlyFavourites: false })}
          >
            {t('player.all')}
          </Chip>
          <Chip
            name="presets"
            icon={Star}
            count={favourites.length}
            checked={onlyFavourites}
            onChange={() => setSettings({ onlyFavourites: true })}
          >
            {t('player.favouritesOnly')}
          </Chip>
          <p className={cx('data', styles.count)} role="status">
            {text.trim() && t('player.shownPresets', { count: shown.length })}
          </p>
        </fieldset>
      </div>
      <ul ref={list} className={styles.list}>
        {shown.map((name) => (
          <li key={name} className={styles.row}>
            <label className={styles.choose}>
              <input
                className="visually-hidden"
                type="radio"
                name="preset"
                checked={name === preset}
                onChange={() => choosePreset(name)}
              />
              {name}
            </label>
            <IconButton
              icon={Star}
              label={t('player.favouritePreset', { name })}
              className={styles.star}
              tabIndex={name === preset ? 0 : -1}
              aria-pressed={favourites.includes(name)}
              onClick={() => {
                toggleFavourite(name)
                // Removing a favourite removes the focused row, so the panel takes the focus.
                if (onlyFavourites) panel.current?.focus()
              }}
            />
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className={cx('small', styles.none)}>
          {onlyFavourites && favourites.length === 0 ? t('player.noFavouritePresets') : t('player.noPresetMatches')}
        </p>
      )}
      <PresetTiming />
    </aside>
  )
}
