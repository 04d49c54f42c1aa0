import { useEffect, useState } from 'react'

const IDLE_AFTER = 3000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const

/** Returns true after three seconds without input, unless the focus is visible or a popup is open. */
export function useIdle(watched: boolean): boolean {
  const [idle, setIdle] = useState(false)

  useEffect(() => {
    if (!watched) return
    let timer: ReturnType<typeof setTimeout>
    function wake() {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(rest, IDLE_AFTER)
    }
    function rest() {
      if (isHeld()) timer = setTimeout(rest, IDLE_AFTER)
      else setIdle(true)
    }
    wake()
    for (const sign of SIGNS) addEventListener(sign, wake, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      setIdle(false)
      for (const sign of SIGNS) removeEventListener(sign, wake, { capture: true })
    }
  }, [watched])

  return idle
}

/** Keyboard focus is visible, or a select, dialog or popover is open. */
function isHeld(): boolean {
  const focused = document.activeElement
  const hasRing = focused !== null && !focused.matches('body, main') && focused.matches(':focus-visible')
  return hasRing || isOpenSelect(focused) || document.querySelector('dialog[open], [popover]:popover-open') !== null
}

function isOpenSelect(element: Element | null): boolean {
  try {
    return element?.matches('select:open') ?? false
  } catch {
    // this browser does not support the selector
    return false
  }
}
