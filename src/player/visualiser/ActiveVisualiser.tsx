import { useRef, useState } from 'react'
import { usePlayer } from '#src/player/store.ts'
import styles from './ActiveVisualiser.module.css'
import { Controls } from './Controls.tsx'
import { PresetPanel } from './PresetPanel.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { setSettings, toggleFavourite, useSettings } from './settings.ts'
import { useFullscreen } from './useBrowserState.ts'
import { useIdle } from './useIdle.ts'
import { usePresets } from './usePresets.ts'
import { useShortcuts } from './useShortcuts.ts'
import { useVisualiser } from './useVisualiser.ts'
import { VisualiserError } from './VisualiserError.tsx'

export function ActiveVisualiser({ isDrawing }: { isDrawing: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const listButton = useRef<HTMLButtonElement>(null)
  const [listOpen, setListOpen] = useState(false)
  const [helpOpen, setHelpOpen] = useState(false)
  const { maximised } = usePlayer()
  const { cycle, locked } = useSettings()
  const { preset, choose, next, previous, random } = usePresets(isDrawing)
  const { error, generation, retry } = useVisualiser(canvas, preset, isDrawing)
  const { full, toggle: toggleFull } = useFullscreen()
  const idle = useIdle(isDrawing && !listOpen && !helpOpen && !maximised && error === null)

  function closeList() {
    setListOpen(false)
    listButton.current?.focus()
  }
  const toggleList = () => (listOpen ? closeList() : setListOpen(true))
  // cycling has no effect while a preset is locked
  const toggleCycle = () => setSettings(cycle ? { cycle: false } : { cycle: true, locked: false })
  const toggleLock = () => setSettings({ locked: !locked })

  useShortcuts(error === null, {
    n: next,
    p: previous,
    r: random,
    l: toggleLock,
    c: toggleCycle,
    b: () => toggleFavourite(preset),
    '/': () => setListOpen(true),
    '?': () => setHelpOpen(true),
    ...(toggleFull && { f: toggleFull }),
    ...(listOpen && { Escape: closeList }),
  })

  if (error !== null) return <VisualiserError text={error} onRetry={retry} />
  return (
    <div className={styles.deck} data-idle={idle || undefined}>
      <canvas
        key={generation}
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label="The sound, drawn by the chosen preset"
      />
      {listOpen && <PresetPanel preset={preset} onChoose={choose} onClose={closeList} />}
      <Controls
        preset={preset}
        onNext={next}
        onPrevious={previous}
        onRandom={random}
        onCycle={toggleCycle}
        onLock={toggleLock}
        listOpen={listOpen}
        listButton={listButton}
        onList={toggleList}
        full={full}
        onFull={toggleFull}
        onHelp={() => setHelpOpen(true)}
      />
      <ShortcutsDialog open={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}
