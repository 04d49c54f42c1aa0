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
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './Controls.module.css'
import { toggleCycle, toggleFavourite, toggleLocked, useSettings } from './settings.ts'
import type { useFullscreen } from './useBrowserState.ts'
import type { usePresets } from './usePresets.ts'

type ControlsProps = {
  presets: ReturnType<typeof usePresets>
  fullscreen: ReturnType<typeof useFullscreen>
  listOpen: boolean
  listButton: Ref<HTMLButtonElement>
  onList: () => void
  onHelp: () => void
}

export function Controls({ presets, fullscreen, listOpen, listButton, onList, onHelp }: ControlsProps) {
  const { preset, previous, next, random } = presets
  const { full, toggle } = fullscreen
  const { cycle, cycleSeconds, locked, favourites } = useSettings()
  return (
    <section className={styles.strip} aria-label="Visualiser controls" data-visualiser-controls="">
      <p className={styles.name} title={preset} aria-live="polite">
        <span className="visually-hidden">Preset: </span>
        {preset}
      </p>
      <div className={styles.buttons}>
        <IconButton icon={SkipBack} label="Previous preset" onClick={previous} />
        <IconButton icon={SkipForward} label="Next preset" onClick={next} />
        <IconButton icon={Shuffle} label="Random preset" onClick={random} />
        <IconButton
          icon={Timer}
          label={`Change every ${cycleSeconds} seconds`}
          aria-pressed={cycle}
          onClick={toggleCycle}
        />
        <IconButton
          icon={locked ? Lock : LockOpen}
          label="Lock this preset"
          aria-pressed={locked}
          onClick={toggleLocked}
        />
        <IconButton
          icon={Star}
          label="Favourite"
          aria-pressed={favourites.includes(preset)}
          className={styles.star}
          onClick={() => toggleFavourite(preset)}
        />
        <IconButton icon={ListMusic} label="All presets" ref={listButton} aria-expanded={listOpen} onClick={onList} />
        {toggle && (
          <IconButton
            icon={full ? Minimize : Maximize}
            label={full ? 'Leave full screen' : 'Full screen'}
            onClick={toggle}
          />
        )}
        <IconButton icon={CircleQuestionMark} label="Keyboard shortcuts" onClick={onHelp} />
      </div>
    </section>
  )
}
