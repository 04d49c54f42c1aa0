import { useEffect, useState } from 'react'

const COPIED_MS = 2000

/** @returns `copied` is true for two seconds after each copy */
export function useCopy() {
  // Each copy sets a new object, so that a second copy restarts the two seconds.
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
  // Safari allows copying only during the click, but accepts a promise for text that arrives later.
  const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
