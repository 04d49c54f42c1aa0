import { useEffect } from 'react'

export const panelId = (streamerId: number) => `streamer-${streamerId}`

/** Opens the panel in the URL hash (`#streamer-3`), on page load and whenever the hash changes. */
export function useDeepLink() {
  useEffect(() => {
    function openLinkedPanel() {
      const panel = document.getElementById(location.hash.slice(1))
      if (!(panel instanceof HTMLDetailsElement) || panel.open) return
      panel.open = true
      panel.scrollIntoView({ block: 'start' })
    }
    openLinkedPanel()
    window.addEventListener('hashchange', openLinkedPanel)
    return () => window.removeEventListener('hashchange', openLinkedPanel)
  }, [])
}

/** Writes the open panel into the URL hash, so that shared links and reloads open it again. */
export function updateHash(streamerId: number, open: boolean) {
  const hash = `#${panelId(streamerId)}`
  if (open ? location.hash === hash : location.hash !== hash) return
  history.replaceState(history.state, '', open ? `${location.pathname}${hash}` : location.pathname)
}
