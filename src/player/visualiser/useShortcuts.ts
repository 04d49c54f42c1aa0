import { useEffect, useRef } from 'react'
import { canBeShortcut, NEUTRAL_ELEMENTS } from '#src/player/shortcuts.ts'

/** Shortcuts also work while a visualiser button has the focus. */
const neutralElements = `${NEUTRAL_ELEMENTS}, [data-visualiser-controls] button`

/** Actions by key. Letters are lower case. */
type Shortcuts = Record<string, () => void>

export function useShortcuts(active: boolean, shortcuts: Shortcuts) {
  const current = useRef(shortcuts)
  current.current = shortcuts

  useEffect(() => {
    if (!active) return
    function handleKeyDown(event: KeyboardEvent) {
      if (event.repeat || !canBeShortcut(event, neutralElements)) return
      const action = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [active])
}
