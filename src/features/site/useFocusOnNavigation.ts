import { useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'

/** Focuses the new page, so that screen readers start there. Skips URLs with a hash and pages that set the focus. */
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
