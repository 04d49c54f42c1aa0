import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { radioMessages } from '#src/contract/radio.ts'
import { whenIdle } from '#src/lib/whenIdle.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { LevelHistory } from './LevelHistory.tsx'
import styles from './PlayerContent.module.css'
import { PlayerRow } from './PlayerRow.tsx'

function reportSheetFailure() {
  setPlayer({ maximised: false })
  toast(radioMessages.notLoaded)
}

export function PlayerContent({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { maximised, minimised } = usePlayer()
  const Sheet = useLazyComponent(
    () => import('./Sheet.tsx').then((module) => module.Sheet),
    maximised,
    reportSheetFailure,
  )
  const shape = maximised && Sheet ? 'sheet' : minimised ? 'slim' : 'row'

  const [BlockedPageAlert, setBlockedPageAlert] = useState<ComponentType | null>(null)

  useEffect(
    () =>
      whenIdle(async () => {
        // After a deploy, the old files are missing until the next page load.
        const integrations = await import('#src/player/integrations.ts').catch(() => null)
        integrations?.startIntegrations()
        setBlockedPageAlert(() => integrations?.BlockedPageAlert ?? null)
      }),
    [],
  )
  usePlayerHeight(bar)
  useRestoreFocus(bar, shape)

  return (
    <>
      {BlockedPageAlert && <BlockedPageAlert />}
      {shape === 'sheet' && Sheet ? (
        <Sheet />
      ) : (
        <>
          <LevelHistory className={styles.strip} alignTop />
          <PlayerRow slim={shape === 'slim'} />
        </>
      )}
    </>
  )
}

function usePlayerHeight(bar: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = bar.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--player-h', `${element.offsetHeight}px`)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [bar])
}

/** After a layout change removed the pressed button, moves the focus to the button that undoes the change. */
function useRestoreFocus(bar: RefObject<HTMLElement | null>, shape: string) {
  const shown = useRef(shape)

  useEffect(() => {
    if (shown.current === shape) return
    shown.current = shape
    const wasLost = !document.activeElement || document.activeElement === document.body
    if (wasLost) bar.current?.querySelector<HTMLElement>('[data-fold]')?.focus({ preventScroll: true })
  }, [bar, shape])
}
