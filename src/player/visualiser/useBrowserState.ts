import { useSyncExternalStore } from 'react'
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
