import { useEffect, useRef } from 'react'
import { getPlayer } from '#src/player/store.ts'

/** Actions by key, with letters in lower case. */
export type Shortcuts = Record<string, () => void>

/** Works also while a button of the visualiser has the focus. */
export function useShortcuts(active: boolean, shortcuts: Shortcuts) {
  const current = useRef(shortcuts)
  current.current = shortcuts

  useEffect(() => {
    if (!active) return
    function handleKeyDown(event: KeyboardEvent) {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (event.defaultPrevented || event.repeat || !isPlain || !getPlayer().shortcuts || !isPageFocused()) return
      const action = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [active])
}

function isPageFocused(): boolean {
  const focused = document.activeElement
  const isNothing = !focused || focused.matches('body, main, [data-visualiser-controls] button')
  return isNothing && !document.querySelector('dialog[open], [popover]:popover-open')
}
