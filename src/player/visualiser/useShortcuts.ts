import { useEffect, useRef } from 'react'
import { getPlayer } from '#src/player/store.ts'

/** Actions by key, with letters in lower case. */
export type Shortcuts = Record<string, () => void>

/**
 * Handles keys while `active`, unless a field or dialog is focused or shortcuts are switched off. They also work while a
 * button of the visualiser has the focus.
 */
export function useShortcuts(active: boolean, keys: Shortcuts) {
  const current = useRef(keys)
  current.current = keys

  useEffect(() => {
    if (!active) return
    function press(event: KeyboardEvent) {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (event.defaultPrevented || event.repeat || !isPlain || !getPlayer().shortcuts || !isFree()) return
      const action = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [active])
}

function isFree(): boolean {
  const focused = document.activeElement
  const isNothing = !focused || focused.matches('body, main, [data-visualiser-keys] button')
  return isNothing && !document.querySelector('dialog[open], [popover]:popover-open')
}
