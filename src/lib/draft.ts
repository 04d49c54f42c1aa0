import { useEffect, useRef, useState } from 'react'

type Texts = Record<string, string>

/** How long nothing must be typed before it is written down. */
const WRITE_MS = 400

function read<T extends Texts>(key: string, empty: T): T {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
    const known = Object.entries(stored).filter(([name, text]) => name in empty && typeof text === 'string')
    return { ...empty, ...Object.fromEntries(known) }
  } catch {
    return empty
  }
}

function write<T extends Texts>(key: string, texts: T): void {
  try {
    if (Object.values(texts).every((text) => text === '')) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(texts))
  } catch {
    // Storage is forbidden or full: the texts last as long as the page.
  }
}

/**
 * Texts that survive a reload, kept in this browser under `key`. Only for what is rendered in the browser alone, and
 * for one key as long as the component lives.
 * @param empty the fields, all of them blank
 */
export function useDraft<T extends Texts>(key: string, empty: T) {
  const [texts, setTexts] = useState(() => read(key, empty))
  const unwritten = useRef<T | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const flush = () => {
      clearTimeout(timer.current)
      if (unwritten.current) write(key, unwritten.current)
      unwritten.current = null
    }
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [key])

  function change(patch: Partial<T>) {
    const next = { ...texts, ...patch }
    setTexts(next)
    unwritten.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      unwritten.current = null
      write(key, next)
    }, WRITE_MS)
  }

  function clear() {
    clearTimeout(timer.current)
    unwritten.current = null
    setTexts(empty)
    write(key, empty)
  }

  return { texts, change, clear }
}
