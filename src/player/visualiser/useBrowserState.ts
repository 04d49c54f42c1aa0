import { useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}

function useDocumentState(event: string, read: () => boolean, serverValue: boolean): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener(event, listener)
      return () => document.removeEventListener(event, listener)
    },
    read,
    () => serverValue,
  )
}

export const usePageVisible = () =>
  useDocumentState('visibilitychange', () => document.visibilityState === 'visible', true)

/** `toggle` is null when the browser does not support full screen. */
export function useFullscreen(): { full: boolean; toggle: (() => void) | null } {
  const full = useDocumentState('fullscreenchange', () => document.fullscreenElement !== null, false)
  return { full, toggle: document.fullscreenEnabled ? toggleFullscreen : null }
}

/** Shows the whole page in full screen, not only the canvas, so that bars, dialogs and toasts stay visible. */
function toggleFullscreen() {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  change.catch((error) => console.warn('Could not toggle full screen', error))
}
