import { useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'

/** A screen reader starts reading at the focus. Does nothing for a hash or if the page has focused an element. */
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
