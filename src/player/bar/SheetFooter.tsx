import { Heart, Keyboard, ListMusic } from 'lucide-react'
import { useId } from 'react'
import { FAVOURITES_PATH, SONG_REQUESTS_PATH } from '#src/contract/radio.ts'
import { t } from '#src/i18n/t.ts'
import { chooseStation } from '#src/player/engine.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { cx } from '#src/ui/cx.ts'
import select from '#src/ui/Select.module.css'
import styles from './SheetFooter.module.css'
import { SleepTimer } from './SleepTimer.tsx'

export function SheetFooter() {
  const { stations, stationId, shortcuts } = usePlayer()
  const hintId = useId()
  return (
    <footer className={`cluster ${styles.foot}`}>
      {stations.length > 1 && (
        <label className={`small ${styles.item}`}>
          <span className="label">{t('player.station')}</span>
          <select
            className={cx(select.select, styles.select)}
            value={stationId}
            onChange={(event) => chooseStation(Number(event.target.value))}
          >
            {stations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <SleepTimer />
      <a className={`small ${styles.item}`} href={FAVOURITES_PATH}>
        <Heart className="icon" />
        {t('show.favourites')}
      </a>
      {stations.some(({ id, takesRequests }) => id === stationId && takesRequests) && (
        <a className={`small ${styles.item}`} href={SONG_REQUESTS_PATH}>
          <ListMusic className="icon" />
          {t('show.requestSong')}
        </a>
      )}
      <label className={`small ${styles.item} ${styles.shortcuts}`}>
        <Keyboard className="icon" />
        {t('player.shortcuts')}
        <Checkbox
          role="switch"
          checked={shortcuts}
          aria-describedby={hintId}
          onChange={(event) => setPlayer({ shortcuts: event.target.checked })}
        />
        <span className="visually-hidden" id={hintId}>
          {t('player.shortcutsHint')}
        </span>
        <span className={styles.hint} aria-hidden="true">
          <kbd>{t('player.spaceKey')}</kbd> <kbd>M</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd>
        </span>
      </label>
    </footer>
  )
}
