import { useEffect, useState } from 'react'

const IDLE_AFTER_MS = 3000
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const

export function useIdle(isEnabled: boolean): boolean {
  const [idle, setIdle] = useState(false)

  useEffect(() => {
    if (!isEnabled) return
    let timer: ReturnType<typeof setTimeout>
    function onActivity() {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(onTimeout, IDLE_AFTER_MS)
    }
    function onTimeout() {
      if (isInteracting()) timer = setTimeout(onTimeout, IDLE_AFTER_MS)
      else setIdle(true)
    }
    onActivity()
    for (const sign of ACTIVITY_EVENTS) addEventListener(sign, onActivity, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      setIdle(false)
      for (const sign of ACTIVITY_EVENTS) removeEventListener(sign, onActivity, { capture: true })
    }
  }, [isEnabled])

  return idle
}

function isInteracting(): boolean {
  const focused = document.activeElement
  const hasRing = focused !== null && !focused.matches('body, main') && focused.matches(':focus-visible')
  return hasRing || isOpenSelect(focused) || document.querySelector('dialog[open], [popover]:popover-open') !== null
}

function isOpenSelect(element: Element | null): boolean {
  try {
    return element?.matches('select:open') ?? false
  } catch {
    // The browser does not support `select:open`.
    return false
  }
}
