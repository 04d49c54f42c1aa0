import { type RefObject, useEffect, useRef } from 'react'

/** When `value` changes and the focused button has disappeared, focuses the element that matches `selector`. */
export function useRestoreFocus(container: RefObject<HTMLElement | null>, selector: string, value: unknown) {
  const previous = useRef(value)

  useEffect(() => {
    if (previous.current === value) return
    previous.current = value
    const wasLost = !document.activeElement || document.activeElement === document.body
    if (wasLost) container.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }, [container, selector, value])
}
