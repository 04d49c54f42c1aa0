import { useEffect, useState } from 'react'

const COPIED_MS = 2000

/** @returns `copied` is true for two seconds after each copy */
export function useCopy() {
  // A new object per copy, so that a second copy restarts the two seconds.
  const [state, setState] = useState({ copied: false })

  useEffect(() => {
    if (!state.copied) return
    const timer = setTimeout(() => setState({ copied: false }), COPIED_MS)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(text: string | Promise<string>) {
    try {
      await write(text)
      setState({ copied: true })
    } catch (error) {
      console.warn('Cannot copy to the clipboard', error)
    }
  }

  return { copied: state.copied, copy, reset: () => setState({ copied: false }) }
}

async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  // After the click handler, Safari rejects a text, but accepts a promise of it.
  const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
