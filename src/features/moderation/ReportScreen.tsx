import { Check } from 'lucide-react'
import { useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { contactLabel } from '#src/contract/site.ts'
import { focusOnMount } from '#src/ui/focus.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { type ReportFields, ReportForm } from './ReportForm.tsx'
import styles from './ReportScreen.module.css'
import { TakeDownPanel } from './TakeDownPanel.tsx'

type ReportScreenProps = {
  fields: ReportFields
  /** null if it could not be created, for example because of the rate limit */
  challenge: CaptchaChallenge | null
  isSent: boolean
  refusal: string | null
  abuseContact: string | null
  isAdmin: boolean
}

export function ReportScreen({ abuseContact, isAdmin, ...form }: ReportScreenProps) {
  const [isSent, setSent] = useState(form.isSent)
  return (
    <div className="wrap">
      <PageHeader
        title="Report abuse"
        lead="Moderators see your report, but not who sent it. You need no account."
        trail={[{ label: 'Home', href: '/' }, { label: 'Report abuse' }]}
      />
      {isAdmin && form.fields.url !== '' && <TakeDownPanel url={form.fields.url} />}
      {isSent ? <Sent /> : <ReportForm {...form} onSent={() => setSent(true)} />}
      {abuseContact && (
        <p className={styles.contact}>
          You can also write to <a href={abuseContact}>{contactLabel(abuseContact)}</a>.
        </p>
      )}
    </div>
  )
}

function Sent() {
  return (
    <div className={styles.sent}>
      <p className={styles.done} role="status" tabIndex={-1} ref={focusOnMount}>
        <Check className="icon" />
        Your report was sent. A moderator will look at it.
      </p>
      <p>
        <a href="/">Back to Home</a>
      </p>
    </div>
  )
}
