import { useEffect, useEffectEvent } from 'react'
import { canBeShortcut, OUTSIDE_FIELDS } from '#src/player/shortcuts.ts'
import { BOARD_KEYS, type KeyTarget } from './boardKeys.ts'

/** The second key of a sequence must follow the first within this time. */
const SEQUENCE_MS = 1500

/** Runs the keys of boards and threads. */
export function useBoardKeys(target: KeyTarget): void {
  const run = useEffectEvent((key: string) => {
    const found = BOARD_KEYS.find((one) => one.key === key)
    found?.run(target)
    return found !== undefined
  })

  useEffect(() => {
    let first = { key: '', at: 0 }
    function onKeyDown(event: KeyboardEvent) {
      const { key, timeStamp, repeat } = event
      if (!canBeShortcut(event, OUTSIDE_FIELDS) || (repeat && key !== 'j' && key !== 'k')) return
      const isSecond = timeStamp - first.at < SEQUENCE_MS
      const isRun = (isSecond && run(`${first.key} ${key}`)) || run(key)
      first = { key, at: timeStamp }
      // Otherwise, the browser would type the key into a field that now has the focus.
      if (isRun) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
