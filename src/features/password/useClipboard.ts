import { useEffect, useState } from 'react'

const COPIED_MS = 2000

/** Copies a text and tells so for two seconds; `forget` when another text has taken its place. */
export function useClipboard() {
  // One for each copy: a second one within the two seconds has its own.
  const [copies, setCopies] = useState<{ shown: boolean }>({ shown: false })

  useEffect(() => {
    if (!copies.shown) return
    const timer = setTimeout(() => setCopies({ shown: false }), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copies])

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      setCopies({ shown: true })
    } catch (error) {
      console.warn('The clipboard refused', error)
    }
  }

  return { copied: copies.shown, copy, forget: () => setCopies({ shown: false }) }
}
