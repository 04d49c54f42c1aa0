import { useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { ChannelMeters } from '#src/player/bar/ChannelMeters.tsx'
import { ShortcutsDialog } from '#src/player/ShortcutsDialog.tsx'
import { canBeShortcut, NEUTRAL_ELEMENTS } from '#src/player/shortcuts.ts'
import { usePlayer } from '#src/player/store.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Controls } from './Controls.tsx'
import { PresetPanel } from './PresetPanel.tsx'
import { toggleCycle, toggleFavourite, toggleLocked } from './settings.ts'
import { useFullscreen, useIdle } from './useBrowserState.ts'
import { nextPreset, previousPreset, randomPreset, usePreset } from './usePreset.ts'
import { useVisualiser } from './useVisualiser.ts'
import styles from './VisualiserScreen.module.css'

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
  const preset = usePreset(isDrawing)
  const { error, generation, isReady, retry } = useVisualiser(canvas, preset, isDrawing)
  const fullscreen = useFullscreen()
  const idle = useIdle(isDrawing && !listOpen && !helpOpen && !maximised && error === null)

  function closeList() {
    setListOpen(false)
    listButton.current?.focus()
  }
  const toggleList = () => (listOpen ? closeList() : setListOpen(true))

  useShortcuts(error === null, {
    n: nextPreset,
    p: previousPreset,
    r: randomPreset,
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
      {listOpen && <PresetPanel preset={preset} onClose={closeList} />}
      <Controls
        preset={preset}
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

/** Shows a frame of the default preset. @param fades whether frames are drawn below */
export const Still = ({ fades }: { fades?: boolean }) => (
  <img className={styles.still} data-fades={fades} src="/visualiser.webp" alt="" width={1280} height={720} />
)

/** Shortcuts also work while a visualiser button has the focus. */
const neutralElements = `${NEUTRAL_ELEMENTS}, [data-visualiser-controls] button`

/** Actions by key. Letters are lower case. */
type Shortcuts = Record<string, () => void>

function useShortcuts(active: boolean, shortcuts: Shortcuts) {
  const current = useRef(shortcuts)
  current.current = shortcuts

  useEffect(() => {
    if (!active) return
    function handleKeyDown(event: KeyboardEvent) {
      if (event.repeat || !canBeShortcut(event, neutralElements)) return
      const action = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [active])
}

/** Shows the levels of the sound where WebGL is missing. */
function VisualiserError({ text, onRetry }: { text: string; onRetry: () => void }) {
  const isDrawable = text !== t('player.noWebgl')
  return (
    <div className={styles.idle}>
      <div className={cx(styles.message, !isDrawable && styles.plain)}>
        {!isDrawable && (
          <div className={styles.meters}>
            <ChannelMeters />
          </div>
        )}
        <Alert>{text}</Alert>
        <div className="cluster">
          <Button onClick={onRetry}>{t('ui.tryAgain')}</Button>
          <ButtonLink href="/">{t('ui.home')}</ButtonLink>
        </div>
      </div>
    </div>
  )
}
