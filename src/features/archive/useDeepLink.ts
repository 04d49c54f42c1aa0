import { useEffect } from 'react'

export const panelId = (streamerId: number) => `streamer-${streamerId}`

/** Opens the panel the address points at, `#streamer-3`, when the page starts and when the address changes. */
export function useDeepLink() {
  useEffect(() => {
    function follow() {
      const panel = document.getElementById(location.hash.slice(1))
      if (!(panel instanceof HTMLDetailsElement) || panel.open) return
      panel.open = true
      panel.scrollIntoView({ block: 'start' })
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
}

/** Lets the address follow what is open, so that it can be handed on and comes back with the page. */
export function updateHash(streamerId: number, open: boolean) {
  const hash = `#${panelId(streamerId)}`
  if (open ? location.hash === hash : location.hash !== hash) return
  history.replaceState(history.state, '', open ? `${location.pathname}${hash}` : location.pathname)
}
