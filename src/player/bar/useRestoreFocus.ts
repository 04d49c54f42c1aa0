import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to the button that undoes a layout change, as the pressed button was removed. */
export function useRestoreFocus(bar: RefObject<HTMLElement | null>, shape: string) {
  const shown = useRef(shape)

  useEffect(() => {
    if (shown.current === shape) return
    shown.current = shape
    const wasLost = !document.activeElement || document.activeElement === document.body
    if (wasLost) bar.current?.querySelector<HTMLElement>('[data-fold]')?.focus({ preventScroll: true })
  }, [bar, shape])
}
