import { useEffect, useState } from 'react'

const COPIED_MS = 2000

/** A text, or a function that returns or fetches it when it is copied. */
export type CopySource = string | (() => string | Promise<string>)

/** Copies a text; `copied` is true for two seconds. */
export function useCopy(text: CopySource) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await write(typeof text === 'string' ? text : text())
      setCopied(true)
    } catch (error) {
      console.warn('The clipboard refused', error)
    }
  }

  return { copied, copy }
}

async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  // Safari refuses a text that comes after the click, but takes a promise of it.
  const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
