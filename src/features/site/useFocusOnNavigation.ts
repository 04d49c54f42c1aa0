import { useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'

/**
 * After a change of page in the browser the focus goes to the content, as a loaded page would begin there for a
 * screen reader; unless the address names a place in it, or something in it took the focus already.
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
