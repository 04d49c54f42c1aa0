import { useEffect, useState } from 'react'

const COPIED_MS = 2000

export type CopySource = string | (() => string | Promise<string>)

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
      console.warn('Cannot copy to the clipboard', error)
    }
  }

  return { copied, copy }
}

async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  // Safari rejects a text after the click, but accepts its promise.
  const blob = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
