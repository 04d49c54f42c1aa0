import { useEffect, useRef, useState } from 'react'
import { readStoredFields, writeStored } from './storage.ts'

type Texts = Record<string, string>

const WRITE_DELAY_MS = 400

const write = (key: string, texts: Texts) =>
  writeStored(key, Object.values(texts).every((text) => text === '') ? null : texts)

/**
 * Keeps texts in local storage. Use it only in components that the server does not render.
 * @param key must not change
 */
export function useDraft<T extends Texts>(key: string, empty: T) {
  const [texts, setTexts] = useState(() => ({ ...empty, ...readStoredFields(key, empty) }))
  const unsaved = useRef<T | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const flush = () => {
      clearTimeout(timer.current)
      if (unsaved.current) write(key, unsaved.current)
      unsaved.current = null
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
    unsaved.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      unsaved.current = null
      write(key, next)
    }, WRITE_DELAY_MS)
  }

  function clear() {
    clearTimeout(timer.current)
    unsaved.current = null
    setTexts(empty)
    write(key, empty)
  }

  return { texts, change, clear }
}
