import { type ComponentType, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { whenIdle } from '#src/lib/whenIdle.ts'
import { cx } from '#src/ui/cx.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { LevelHistory } from './bar/LevelHistory.tsx'
import { PlayerRow } from './bar/PlayerRow.tsx'
import { useRestoreFocus } from './bar/useRestoreFocus.ts'
import styles from './PlayerBar.module.css'
import { setPlayer, usePlayer } from './store.ts'

/** Suspense lets the player hydrate independently of the page. */
export function PlayerBar() {
  const bar = useRef<HTMLElement>(null)
  return (
    <Scripted>
      <section className={cx('console', styles.player)} aria-label={t('player.label')} ref={bar}>
        <Suspense>
          <PlayerContent bar={bar} />
        </Suspense>
      </section>
    </Scripted>
  )
}

function reportSheetFailure() {
  setPlayer({ maximised: false })
  toast(t('ui.notLoaded'))
}

function PlayerContent({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { maximised, minimised, blockedPage } = usePlayer()
  const Sheet = useLazyComponent(
    () => import('./bar/Sheet.tsx').then((module) => module.Sheet),
    maximised,
    reportSheetFailure,
  )
  const shape = maximised && Sheet ? 'sheet' : minimised ? 'slim' : 'row'

  const [BlockedPageAlert, setBlockedPageAlert] = useState<ComponentType | null>(null)

  useEffect(
    () =>
      whenIdle(async () => {
        // Ignores a failed import: after a deploy, an open page may request files that no longer exist.
        const integrations = await import('./integrations.ts').catch(() => null)
        integrations?.startIntegrations()
        setBlockedPageAlert(() => integrations?.BlockedPageAlert ?? null)
      }),
    [],
  )
  const lacksAlert = blockedPage?.reason === 'offline' && !BlockedPageAlert
  useEffect(() => {
    // The alert loads after the page, and cannot load without a network.
    if (lacksAlert) toast(t('player.offlinePage'))
  }, [lacksAlert])
  usePlayerHeight(bar)
  // If the new shape lacks the focused button, focuses the button that restores the old shape.
  useRestoreFocus(bar, '[data-fold]', shape)

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
    const root = document.documentElement
    const observer = new ResizeObserver(() => {
      const height = `${element.offsetHeight}px`
      // Setting the property restyles the whole page, and on most pages the height of tokens.css is right.
      if (getComputedStyle(root).getPropertyValue('--player-h') === height) return
      root.style.setProperty('--player-h', height)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [bar])
}
