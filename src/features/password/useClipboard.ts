import { useEffect, useState } from 'react'

const COPIED_MS = 2000

export function useClipboard() {
  // An object per copy, so that a second copy restarts the two seconds.
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
      console.warn('Cannot copy to the clipboard', error)
    }
  }

  return { copied: copies.shown, copy, reset: () => setCopies({ shown: false }) }
}
