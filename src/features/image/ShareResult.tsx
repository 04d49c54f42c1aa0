import { Check, ExternalLink } from 'lucide-react'
import type { Ref } from 'react'
import { type CreatedImageShare, imageMessages } from '#src/contract/image.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from '#src/ui/Result.module.css'
import { Time } from '#src/ui/Time.tsx'

/** Where the image now is, and how its maker takes it away again. */
export function ShareResult({ shared, ref }: { shared: CreatedImageShare; ref: Ref<HTMLElement> }) {
  return (
    <section className={styles.result} ref={ref} tabIndex={-1} aria-label={imageMessages.uploaded}>
      <p className={styles.message} role="status">
        <Check className="icon" />
        {imageMessages.uploaded}
      </p>
      <Field label="Image URL" hint={<Until date={shared.expiresAt} />}>
        <div className={styles.line}>
          <Address url={shared.url} />
          <CopyTextButton variant="primary" text={shared.url} label="Copy" />
          <ButtonLink href={new URL(shared.url).pathname}>
            <ExternalLink className="icon" />
            View
          </ButtonLink>
        </div>
      </Field>
      <Field label="Delete link" hint="Shown this once: keep it if you may want to delete the image before it expires.">
        <div className={styles.line}>
          <Address url={shared.deleteUrl} />
          <CopyTextButton text={shared.deleteUrl} label="Copy delete link" />
        </div>
      </Field>
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
