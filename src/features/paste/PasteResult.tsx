import { Check, ExternalLink, QrCode } from 'lucide-react'
import { type Ref, useState } from 'react'
import type { CreatedPaste } from '#src/contract/paste.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from '#src/ui/Result.module.css'
import { Time } from '#src/ui/Time.tsx'
import { QrDialog } from './QrDialog.tsx'

/** Where the paste now is, and how its maker takes it away again. */
export function PasteResult({ made, ref }: { made: CreatedPaste; ref: Ref<HTMLElement> }) {
  const [qrUrl, setQrUrl] = useState<string | null>(null)
  return (
    <section className={styles.result} ref={ref} tabIndex={-1} aria-label="Paste created">
      <p className={styles.message} role="status">
        <Check className="icon" />
        Paste created
      </p>
      <Field label="Paste URL" hint={<Until date={made.expiresAt} />}>
        <div className={styles.line}>
          <Address url={made.url} />
          <CopyTextButton variant="primary" text={made.url} label="Copy URL" />
          <ButtonLink href={made.url} target="_blank" rel="noopener">
            <ExternalLink className="icon" />
            View
          </ButtonLink>
          <Button onClick={() => setQrUrl(made.url)}>
            <QrCode className="icon" />
            QR code
          </Button>
        </div>
      </Field>
      <Field label="Delete link" hint="Shown this once: keep it if you may want to delete the paste before it expires.">
        <div className={styles.line}>
          <Address url={made.deleteUrl} />
          <CopyTextButton text={made.deleteUrl} label="Copy delete link" />
        </div>
      </Field>
      <QrDialog url={qrUrl} onClose={() => setQrUrl(null)} />
    </section>
  )
}

function Until({ date }: { date: Date }) {
  return (
    <>
      Deleted automatically: <Time date={date} />
    </>
  )
}

function Address({ url }: { url: string }) {
  return <TextInput mono readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
}
