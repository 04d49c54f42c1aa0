import { type FormEvent, useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { REPORT_CALL, REPORT_REASONS, reportLimits } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorCode, errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { captchaQuestion } from '#src/ui/captchaQuestion.ts'
import { Field, Select, TextArea, TextInput } from '#src/ui/Field.tsx'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import styles from './moderation.module.css'
import { reasonTexts } from './reasonTexts.ts'

export type ReportFields = Record<'url' | 'post' | 'reason' | 'text', string>

type ReportFormProps = {
  fields: ReportFields
  challenge: CaptchaChallenge | null
  refusal: string | null
  onSent: () => void
}

const UNANSWERED = [null, 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']

/** URL of a thread that names no post */
const WHOLE_THREAD = /\/thread\/\d+\/?$/

/** Works without script: the browser sends the form, and the server answers with this page. */
export function ReportForm({ fields, challenge: firstChallenge, refusal: firstRefusal, onSent }: ReportFormProps) {
  const [challenge, setChallenge] = useState(firstChallenge)
  const [refusal, setRefusal] = useState(firstRefusal ?? (firstChallenge ? null : t('moderation.captchaFailed')))

  const sending = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = Object.fromEntries(new FormData(form)) as Record<string, string>
      const calls = await trpc()
      await calls.moderation.report.mutate(given as Parameters<typeof calls.moderation.report.mutate>[0])
    },
    onSuccess: onSent,
    onError: async (error, form) => {
      // Without an answer, the report may be stored: the same captcha then gets the answer of the first try.
      if (UNANSWERED.includes(errorCode(error))) return setRefusal(errorText(error, t('moderation.reportFailed')))
      // The server may have spent the captcha. The refusal appears with the new one, so nobody answers the old one.
      const calls = await trpc()
      setChallenge(await calls.site.captcha.mutate().catch(() => challenge))
      setRefusal(errorText(error, t('moderation.reportFailed')))
      const answer = form.elements.namedItem('captchaAnswer')
      if (!(answer instanceof HTMLInputElement)) return
      answer.value = ''
      // The alert moves the field down, maybe under the player.
      requestAnimationFrame(() => answer.scrollIntoView({ block: 'nearest' }))
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    setRefusal(null)
    sending.mutate(event.currentTarget)
  }

  return (
    <MultipartForm className={`panel form ${styles.form}`} action={REPORT_CALL} onSubmit={submit}>
      {refusal && <Alert>{refusal}</Alert>}
      <Field
        label={t('field.url')}
        hint={/\/paste\//.test(fields.url) ? t('moderation.reportPasteHint') : t('moderation.reportUrlHint')}
      >
        <TextInput mono name="url" required maxLength={reportLimits.url} autoComplete="off" defaultValue={fields.url} />
      </Field>
      {WHOLE_THREAD.test(fields.url) && (
        <Field label={t('moderation.reportNumber')} hint={t('moderation.reportNumberHint')}>
          <TextInput mono name="post" inputMode="numeric" autoComplete="off" defaultValue={fields.post} />
        </Field>
      )}
      <Field label={t('field.reason')}>
        <Select name="reason" required defaultValue={fields.reason}>
          <option value="" disabled hidden>
            {t('moderation.chooseReason')}
          </option>
          {REPORT_REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {reasonTexts[reason]()}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('moderation.details')} hint={t('moderation.detailsHint')}>
        <TextArea name="text" rows={4} maxLength={reportLimits.text} defaultValue={fields.text} />
      </Field>
      {challenge && (
        <Field label={captchaQuestion(challenge)} hint={t('moderation.captchaHint')}>
          <TextInput
            mono
            name="captchaAnswer"
            required
            className={styles.answer}
            inputMode="numeric"
            autoComplete="off"
            placeholder={t('moderation.answer')}
          />
        </Field>
      )}
      <input type="hidden" name="challengeId" value={challenge?.challengeId ?? ''} />
      <Button native variant="primary" type="submit" busy={sending.isPending}>
        {t('moderation.sendReport')}
      </Button>
    </MultipartForm>
  )
}
