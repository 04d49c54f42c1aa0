import { type RefObject, useEffect, useRef } from 'react'

/** The key that changes the bar's shape goes away with it: the focus goes on to the one that leads back. */
export function useRestoreFocus(bar: RefObject<HTMLElement | null>, shape: string) {
  const shown = useRef(shape)

  useEffect(() => {
    if (shown.current === shape) return
    shown.current = shape
    const wasLost = !document.activeElement || document.activeElement === document.body
    if (wasLost) bar.current?.querySelector<HTMLElement>('[data-fold]')?.focus({ preventScroll: true })
  }, [bar, shape])
}
