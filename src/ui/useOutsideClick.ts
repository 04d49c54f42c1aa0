import { type MouseEvent, type PointerEvent, useRef } from 'react'

/** Returns the handlers of a dialog that call `onClick` for a click outside it, in browsers without `closedby`. */
export function useOutsideClick(onClick: () => void) {
  // Selecting text can end outside the dialog, so the press counts, too.
  const wasPressed = useRef(false)
  return {
    onPointerDown(event: PointerEvent<HTMLDialogElement>) {
      wasPressed.current = !('closedBy' in event.currentTarget) && isOutside(event)
    },
    onClick(event: MouseEvent<HTMLDialogElement>) {
      if (wasPressed.current && isOutside(event)) onClick()
    },
  }
}

/** The event's target is the dialog for its padding and for everything around it. */
function isOutside({ currentTarget, target, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}
