import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { contactLabel } from '#src/contract/site.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Done } from '#src/ui/MultipartForm.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import styles from './moderation.module.css'
import { type ReportFields, ReportForm } from './ReportForm.tsx'

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
        title={t('site.reportAbuse')}
        lead={t('moderation.reportLead')}
        trail={[{ label: t('ui.home'), href: '/' }, { label: t('site.reportAbuse') }]}
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
    <div className={`stack ${styles.sent}`}>
      <Done>{t('moderation.reportSent')}</Done>
      <p>
        <a href="/">{t('site.backHome')}</a>
      </p>
    </div>
  )
}

/** Lets an admin take down the item at `url` without a report. */
function TakeDownPanel({ url }: { url: string }) {
  const [isAsked, setAsked] = useState(false)
  const takedown = useMutation({ mutationFn: async () => (await trpc()).moderation.takedown.mutate({ url }) })

  if (takedown.isSuccess) {
    return (
      <div className={`stack ${styles.admin}`}>
        <Done>{t('moderation.takenDown')}</Done>
      </div>
    )
  }
  return (
    <section className={`stack ${styles.admin}`} aria-label={t('moderation.forAdmins')}>
      {takedown.isError && <Alert>{errorText(takedown.error, t('show.finishFailed'))}</Alert>}
      <p>{t('moderation.takeDownHint')}</p>
      {isAsked ? (
        <div className="cluster">
          <Button variant="danger" busy={takedown.isPending} onClick={() => takedown.mutate()}>
            {t('moderation.takeDownForGood')}
          </Button>
          <Button onClick={() => setAsked(false)}>{t('ui.cancel')}</Button>
        </div>
      ) : (
        <Button variant="danger" onClick={() => setAsked(true)}>
          <ShieldAlert className="icon" />
          {t('moderation.takeDown')}
        </Button>
      )}
    </section>
  )
}
