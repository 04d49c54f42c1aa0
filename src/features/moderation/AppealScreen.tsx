import type { FormEvent } from 'react'
import { APPEAL_CALL, banLimits } from '#src/contract/bans.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Field, TextArea } from '#src/ui/Field.tsx'
import { Done, MultipartForm } from '#src/ui/MultipartForm.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import styles from './moderation.module.css'

type AppealScreenProps = { appealToken: string; text: string; isSent: boolean; refusal: string | null }

/** Works without script: the browser sends the form, and the server answers with this page. */
export function AppealScreen({ appealToken, text, isSent, refusal }: AppealScreenProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async (input: { appealToken: string; text: string }) =>
      (await trpc()).moderation.bans.appeal.mutate(input),
  })
  const problem = error ? errorText(error, t('moderation.appealFailed')) : refusal

  function submit(event: FormEvent<HTMLFormElement>) {
    mutate({ appealToken, text: String(new FormData(event.currentTarget).get('text') ?? '') })
  }

  return (
    <div className="wrap">
      <PageHeader
        title={t('moderation.appealTitle')}
        lead={t('moderation.appealLead')}
        trail={[{ label: t('ui.home'), href: '/' }, { label: t('moderation.appealTitle') }]}
      />
      {isSent || isSuccess ? (
        <div className={`stack ${styles.sent}`}>
          <Done>{t('moderation.appealSent')}</Done>
        </div>
      ) : appealToken === '' ? (
        <EmptyState>{t('moderation.appealNeedsLink')}</EmptyState>
      ) : (
        <MultipartForm className={`panel form ${styles.form}`} action={APPEAL_CALL} onSubmit={submit}>
          {problem && <Alert>{problem}</Alert>}
          <Field label={t('moderation.appealReason')}>
            <TextArea name="text" rows={5} required maxLength={banLimits.appeal} defaultValue={text} />
          </Field>
          <input type="hidden" name="appealToken" value={appealToken} />
          <Button native variant="primary" type="submit" busy={isPending}>
            {t('moderation.sendAppeal')}
          </Button>
        </MultipartForm>
      )}
    </div>
  )
}
