import { Check } from 'lucide-react'
import { useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { contactLabel } from '#src/contract/site.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusOnMount } from '#src/lib/focus.ts'
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
        title={t('moderation.reportTitle')}
        lead={t('moderation.reportLead')}
        trail={[{ label: t('ui.home'), href: '/' }, { label: t('moderation.reportTitle') }]}
      />
      {isAdmin && form.fields.url !== '' && <TakeDownPanel url={form.fields.url} />}
      {isSent ? <Sent /> : <ReportForm {...form} onSent={() => setSent(true)} />}
      {abuseContact && (
        <p className={styles.contact}>
          {rich('moderation.abuseContact', {
            contact: contactLabel(abuseContact),
            link: (text) => <a href={abuseContact}>{text}</a>,
          })}
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
        {t('moderation.reportSent')}
      </p>
      <p>
        <a href="/">{t('moderation.backHome')}</a>
      </p>
    </div>
  )
}
