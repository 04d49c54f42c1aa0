import {
  CircleQuestionMark,
  ListMusic,
  Lock,
  LockOpen,
  Maximize,
  Minimize,
  Shuffle,
  SkipBack,
  SkipForward,
  Star,
  Timer,
} from 'lucide-react'
import type { Ref } from 'react'
import { rich, t } from '#src/i18n/t.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './Controls.module.css'
import { toggleCycle, toggleFavourite, toggleLocked, useSettings } from './settings.ts'
import type { useFullscreen } from './useBrowserState.ts'
import { nextPreset, previousPreset, randomPreset } from './usePreset.ts'

type ControlsProps = {
  preset: string
  fullscreen: ReturnType<typeof useFullscreen>
  listOpen: boolean
  listButton: Ref<HTMLButtonElement>
  onList: () => void
  onHelp: () => void
}

export function Controls({ preset, fullscreen, listOpen, listButton, onList, onHelp }: ControlsProps) {
  const { full, toggle } = fullscreen
  const { cycle, cycleSeconds, locked, favourites } = useSettings()
  return (
    <section className={styles.strip} aria-label={t('player.visualiserControls')} data-visualiser-controls="">
      <p className={`ellipsis ${styles.name}`} title={preset} aria-live="polite">
        {rich('player.presetName', {
          name: preset,
          hidden: (text) => <span className="visually-hidden">{text}</span>,
        })}
      </p>
      <div className={styles.buttons}>
        <IconButton icon={SkipBack} label={t('player.previousPreset')} onClick={previousPreset} />
        <IconButton icon={SkipForward} label={t('player.nextPreset')} onClick={nextPreset} />
        <IconButton icon={Shuffle} label={t('player.randomPreset')} onClick={randomPreset} />
        <IconButton
          icon={Timer}
          label={t('player.changeEvery', { seconds: cycleSeconds })}
          aria-pressed={cycle}
          onClick={toggleCycle}
        />
        <IconButton
          icon={locked ? Lock : LockOpen}
          label={t('player.lockPreset')}
          aria-pressed={locked}
          onClick={toggleLocked}
        />
        <IconButton
          icon={Star}
          label={t('player.favourite')}
          aria-pressed={favourites.includes(preset)}
          className={styles.star}
          onClick={() => toggleFavourite(preset)}
        />
        <IconButton
          icon={ListMusic}
          label={t('player.allPresets')}
          ref={listButton}
          aria-expanded={listOpen}
          onClick={onList}
        />
        {toggle && (
          <IconButton
            icon={full ? Minimize : Maximize}
            label={full ? t('player.leaveFullScreen') : t('player.fullScreen')}
            onClick={toggle}
          />
        )}
        <IconButton icon={CircleQuestionMark} label={t('player.keyboardShortcuts')} onClick={onHelp} />
      </div>
    </section>
  )
}
