import { Check, Copy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { type CopySource, useCopy } from './useCopy.ts'

type CopyButtonProps = {
  text: CopySource
  label: string
  className?: string
}

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const { copied, copy } = useCopy(text)
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

export function CopyTextButton({ text, label, ...rest }: CopyButtonProps & ComponentProps<typeof Button>) {
  const { copied, copy } = useCopy(text)
  return (
    <Button {...rest} onClick={copy}>
      {copied ? <Check className="icon" /> : <Copy className="icon" />}
      <span aria-live="polite">{copied ? 'Copied!' : label}</span>
    </Button>
  )
}
