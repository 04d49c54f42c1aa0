import { Check, Copy } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'

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

type CopyButtonProps = { text: string; label: string; className?: string }

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? t('ui.copied') : label}
        className={className}
        onClick={() => copy(text)}
      />
      <CopyStatus copied={copied} />
    </>
  )
}

type CopyTextButtonProps = { text: string | (() => string | Promise<string>); label: string } & ComponentProps<
  typeof Button
>

export function CopyTextButton({ text, label, ...rest }: CopyTextButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <>
      <Button {...rest} onClick={() => copy(typeof text === 'string' ? text : text())}>
        {copied ? <Check className="icon" /> : <Copy className="icon" />}
        {copied ? t('ui.copied') : label}
      </Button>
      <CopyStatus copied={copied} />
    </>
  )
}

/** Announces the copy: screen readers do not announce that the name of a button changes. */
function CopyStatus({ copied }: { copied: boolean }) {
  return (
    <span className="visually-hidden" role="status">
      {copied && t('ui.copied')}
    </span>
  )
}
