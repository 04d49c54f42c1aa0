import { useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'

/**
 * Focuses the content after a client-side navigation, where a screen reader starts reading. Does nothing if the URL has
 * a hash or the page has focused an element itself.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { urlPathname, urlParsed } = usePageContext()
  const url = urlPathname + (urlParsed.searchOriginal ?? '')
  const shown = useRef(url)

  useEffect(() => {
    if (shown.current === url) return
    shown.current = url
    if (location.hash || main.current?.contains(document.activeElement)) return
    main.current?.focus({ preventScroll: true })
  }, [url])

  return main
}
