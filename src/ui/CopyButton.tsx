import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './IconButton.tsx'

const COPIED_MS = 2000

/** Copies a text; says so for two seconds. */
export function CopyButton({ text, label, className }: { text: string; label: string; className?: string }) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch (error) {
      console.warn('The clipboard refused', error)
    }
  }

  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied!' : label}
      className={className}
      onClick={copy}
      aria-live="polite"
    />
  )
}
