import { type FormEvent, useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { REPORT_REASONS } from '#src/contract/moderation.ts'
import { REPORT_CALL } from '#src/contract/reportPaths.ts'
import { reportLimits, reportMessages, reportReasons } from '#src/contract/reports.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { Select } from '#src/ui/Select.tsx'
import styles from './ReportScreen.module.css'

export type ReportFields = Record<'url' | 'post' | 'reason' | 'text', string>

type ReportFormProps = {
  fields: ReportFields
  challenge: CaptchaChallenge | null
  refusal: string | null
  onSent: () => void
}

const NO_CAPTCHA = 'The captcha couldn’t load. Please reload this page in a minute.'
const URL_HINT = 'The URL of the post, paste, shared image or program.'
const PASTE_HINT = 'Moderators can read an encrypted paste only with its full URL, including the part after the #.'
/** URL of a thread that names no post */
const WHOLE_THREAD = /\/thread\/\d+\/?$/

/** Works without script: the browser sends the form, and the server answers with this page. */
export function ReportForm({ fields, challenge: firstChallenge, refusal: firstRefusal, onSent }: ReportFormProps) {
  const [challenge, setChallenge] = useState(firstChallenge)
  const [refusal, setRefusal] = useState(firstRefusal ?? (firstChallenge ? null : NO_CAPTCHA))

  const sending = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = Object.fromEntries(new FormData(form)) as Record<string, string>
      const calls = await trpc()
      await calls.moderation.report.mutate(given as Parameters<typeof calls.moderation.report.mutate>[0])
    },
    onSuccess: onSent,
    onError: async (error, form) => {
      // The server may have spent the captcha. The refusal appears with the new one, so nobody answers the old one.
      const calls = await trpc()
      setChallenge(await calls.site.captcha.mutate().catch(() => challenge))
      setRefusal(errorText(error, reportMessages.send))
      const answer = form.elements.namedItem('captchaAnswer')
      if (!(answer instanceof HTMLInputElement)) return
      answer.value = ''
      // The alert moves the field down, maybe under the player.
      requestAnimationFrame(() => answer.scrollIntoView({ block: 'nearest' }))
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setRefusal(null)
    sending.mutate(event.currentTarget)
  }

  return (
    <form
      className={`panel ${styles.form}`}
      action={REPORT_CALL}
      method="post"
      encType="multipart/form-data"
      onSubmit={submit}
    >
      {refusal && <Alert>{refusal}</Alert>}
      <Field label="URL" hint={/\/paste\//.test(fields.url) ? PASTE_HINT : URL_HINT}>
        <TextInput mono name="url" required maxLength={reportLimits.url} autoComplete="off" defaultValue={fields.url} />
      </Field>
      {WHOLE_THREAD.test(fields.url) && (
        <Field label="Post number" hint="Optional. Leave empty to report the whole thread.">
          <TextInput mono name="post" inputMode="numeric" autoComplete="off" defaultValue={fields.post} />
        </Field>
      )}
      <Field label="Reason">
        <Select name="reason" required defaultValue={fields.reason}>
          <option value="" disabled hidden>
            Choose a reason
          </option>
          {REPORT_REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {reportReasons[reason]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Details" hint="Optional. What should a moderator know?">
        <TextArea name="text" rows={4} maxLength={reportLimits.text} defaultValue={fields.text} />
      </Field>
      {challenge && (
        <Field label={challenge.question} hint="This keeps bots out.">
          <TextInput
            mono
            name="captchaAnswer"
            required
            className={styles.answer}
            inputMode="numeric"
            autoComplete="off"
            placeholder="Answer"
          />
        </Field>
      )}
      <input type="hidden" name="challengeId" value={challenge?.challengeId ?? ''} />
      <Button native variant="primary" type="submit" className={styles.submit} busy={sending.isPending}>
        Send report
      </Button>
    </form>
  )
}
