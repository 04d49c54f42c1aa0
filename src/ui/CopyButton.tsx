import { Check, Copy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { useCopy } from './useCopy.ts'

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
