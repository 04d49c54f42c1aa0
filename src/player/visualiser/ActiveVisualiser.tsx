import { useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { ShortcutsDialog } from '#src/player/ShortcutsDialog.tsx'
import { usePlayer } from '#src/player/store.ts'
import styles from './ActiveVisualiser.module.css'
import { Controls } from './Controls.tsx'
import { PresetPanel } from './PresetPanel.tsx'
import { Still } from './Still.tsx'
import { toggleCycle, toggleFavourite, toggleLocked } from './settings.ts'
import { useFullscreen } from './useBrowserState.ts'
import { useIdle } from './useIdle.ts'
import { usePresets } from './usePresets.ts'
import { useShortcuts } from './useShortcuts.ts'
import { useVisualiser } from './useVisualiser.ts'
import { VisualiserError } from './VisualiserError.tsx'

const keys = () =>
  [
    ['N', t('player.nextPreset')],
    ['P', t('player.previousPreset')],
    ['R', t('player.randomPreset')],
    ['C', t('player.autoChange')],
    ['L', t('player.lockPreset')],
    ['B', t('player.favourite')],
    ['/', t('player.allPresets')],
    ['F', t('player.fullScreen')],
    ['?', t('player.thisList')],
  ] as const

export function ActiveVisualiser({ isDrawing }: { isDrawing: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const listButton = useRef<HTMLButtonElement>(null)
  const [listOpen, setListOpen] = useState(false)
  const [helpOpen, setHelpOpen] = useState(false)
  const { maximised } = usePlayer()
  const presets = usePresets(isDrawing)
  const { preset } = presets
  const { error, generation, isReady, retry } = useVisualiser(canvas, preset, isDrawing)
  const fullscreen = useFullscreen()
  const idle = useIdle(isDrawing && !listOpen && !helpOpen && !maximised && error === null)

  function closeList() {
    setListOpen(false)
    listButton.current?.focus()
  }
  const toggleList = () => (listOpen ? closeList() : setListOpen(true))

  useShortcuts(error === null, {
    n: presets.next,
    p: presets.previous,
    r: presets.random,
    l: toggleLocked,
    c: toggleCycle,
    b: () => toggleFavourite(preset),
    '/': () => setListOpen(true),
    '?': () => setHelpOpen(true),
    ...(fullscreen.toggle && { f: fullscreen.toggle }),
    ...(listOpen && { Escape: closeList }),
  })

  if (error !== null) return <VisualiserError text={error} onRetry={retry} />
  return (
    <div className={styles.deck} data-idle={idle || undefined}>
      <canvas key={generation} ref={canvas} className={styles.canvas} role="img" aria-label={t('player.canvas')} />
      <Still fades={isReady} />
      {listOpen && <PresetPanel preset={preset} onChoose={presets.choose} onClose={closeList} />}
      <Controls
        presets={presets}
        fullscreen={fullscreen}
        listOpen={listOpen}
        listButton={listButton}
        onList={toggleList}
        onHelp={() => setHelpOpen(true)}
      />
      <ShortcutsDialog keys={keys()} open={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}
