import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to an element in the container if a change of the value removed the focused button. */
export function useRestoreFocus(container: RefObject<HTMLElement | null>, selector: string, value: unknown) {
  const previous = useRef(value)

  useEffect(() => {
    if (previous.current === value) return
    previous.current = value
    const wasLost = !document.activeElement || document.activeElement === document.body
    if (wasLost) container.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }, [container, selector, value])
}
