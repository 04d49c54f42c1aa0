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
import { toggleFavourite, useSettings } from './settings.ts'

type ControlsProps = {
  preset: string
  onNext: () => void
  onPrevious: () => void
  onRandom: () => void
  onCycle: () => void
  onLock: () => void
  listOpen: boolean
  listButton: Ref<HTMLButtonElement>
  onList: () => void
  full: boolean
  /** null when the browser does not support full screen */
  onFull: (() => void) | null
  onHelp: () => void
}

export function Controls(props: ControlsProps) {
  const { preset, listOpen, full, onFull } = props
  const { cycle, cycleSeconds, locked, favourites } = useSettings()
  return (
    <section className={styles.strip} aria-label="Visualiser controls" data-visualiser-controls="">
      <p className={styles.name} title={preset} aria-live="polite">
        <span className="visually-hidden">Preset: </span>
        {preset}
      </p>
      <div className={styles.buttons}>
        <IconButton icon={SkipBack} label="Previous preset" onClick={props.onPrevious} />
        <IconButton icon={SkipForward} label="Next preset" onClick={props.onNext} />
        <IconButton icon={Shuffle} label="Random preset" onClick={props.onRandom} />
        <IconButton
          icon={Timer}
          label={`Change every ${cycleSeconds} seconds`}
          aria-pressed={cycle}
          onClick={props.onCycle}
        />
        <IconButton
          icon={locked ? Lock : LockOpen}
          label="Lock this preset"
          aria-pressed={locked}
          onClick={props.onLock}
        />
        <IconButton
          icon={Star}
          label="Favourite"
          aria-pressed={favourites.includes(preset)}
          className={styles.star}
          onClick={() => toggleFavourite(preset)}
        />
        <IconButton
          icon={ListMusic}
          label="All presets"
          ref={props.listButton}
          aria-expanded={listOpen}
          onClick={props.onList}
        />
        {onFull && (
          <IconButton
            icon={full ? Minimize : Maximize}
            label={full ? 'Leave full screen' : 'Full screen'}
            onClick={onFull}
          />
        )}
        <IconButton icon={CircleQuestionMark} label="Keys" onClick={props.onHelp} />
      </div>
    </section>
  )
}
