import { useLayoutEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { focusOn } from '#src/lib/focus.ts'

/**
 * Focuses the new page's heading, or the element of the URL's hash: screen readers start there. Skips pages that set the
 * focus.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { urlPathname, urlParsed } = usePageContext()
  const url = urlPathname + (urlParsed.searchOriginal ?? '')
  const shown = useRef(url)

  // In a layout effect, because a passive one could take the focus back from a visitor who already pressed Tab.
  useLayoutEffect(() => {
    if (shown.current === url) return
    shown.current = url
    if (main.current?.contains(document.activeElement)) return
    const linked = document.getElementById(location.hash.slice(1))
    focusOn(linked ?? main.current?.querySelector('h1') ?? main.current)
  }, [url])

  return main
}
