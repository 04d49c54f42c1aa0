import { useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'

/** Moves the focus, where screen readers start, unless the URL has a hash or the page has focused an element. */
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
