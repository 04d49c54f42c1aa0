import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '#src/i18n/t.ts'
import { toast } from '#src/ui/Toast.tsx'

function useEventState(getTarget: () => EventTarget, event: string, read: () => boolean, serverValue = false): boolean {
  return useSyncExternalStore(
    (listener) => {
      const target = getTarget()
      target.addEventListener(event, listener)
      return () => target.removeEventListener(event, listener)
    },
    read,
    () => serverValue,
  )
}

export function useMediaQuery(query: string): boolean {
  const getList = () => matchMedia(query)
  return useEventState(getList, 'change', () => getList().matches)
}

const getDocument = () => document

export const usePageVisible = () =>
  useEventState(getDocument, 'visibilitychange', () => document.visibilityState === 'visible', true)

/** `toggle` is null when the browser does not support full screen. */
export function useFullscreen(): { full: boolean; toggle: (() => void) | null } {
  const full = useEventState(getDocument, 'fullscreenchange', () => document.fullscreenElement !== null)
  return { full, toggle: document.fullscreenEnabled ? toggleFullscreen : null }
}

/** Makes the whole page full screen, not only the canvas, so that bars, dialogs and toasts stay visible. */
function toggleFullscreen() {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  change.catch((error) => {
    console.warn('Cannot change full screen', error)
    toast(t('player.fullScreenFailed'))
  })
}

const IDLE_AFTER_MS = 3000
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const

export function useIdle(isEnabled: boolean): boolean {
  const [idle, setIdle] = useState(false)

  useEffect(() => {
    if (!isEnabled) return
    let timer: ReturnType<typeof setTimeout>
    function onActivity() {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(onTimeout, IDLE_AFTER_MS)
    }
    function onTimeout() {
      if (isInteracting()) timer = setTimeout(onTimeout, IDLE_AFTER_MS)
      else setIdle(true)
    }
    onActivity()
    for (const sign of ACTIVITY_EVENTS) addEventListener(sign, onActivity, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      setIdle(false)
      for (const sign of ACTIVITY_EVENTS) removeEventListener(sign, onActivity, { capture: true })
    }
  }, [isEnabled])

  return idle
}

function isInteracting(): boolean {
  const focused = document.activeElement
  const hasRing = focused !== null && !focused.matches('body, main') && focused.matches(':focus-visible')
  return hasRing || isOpenSelect(focused) || document.querySelector('dialog[open], [popover]:popover-open') !== null
}

function isOpenSelect(element: Element | null): boolean {
  try {
    return element?.matches('select:open') ?? false
  } catch {
    // The browser does not support `select:open`.
    return false
  }
}
