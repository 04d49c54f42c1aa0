import { useEffect, useState } from 'react'

const COPIED_MS = 2000

/** Copies a text, or what a function gives at that moment; `copied` is true for two seconds. */
export function useCopy(text: string | (() => string)) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
    } catch (error) {
      console.warn('The clipboard refused', error)
    }
  }

  return { copied, copy }
}
