import { Check } from 'lucide-react'
import type { FormEvent } from 'react'
import { APPEAL_CALL } from '#src/contract/appealPaths.ts'
import { banLimits, banMessages } from '#src/contract/bans.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Field, TextArea } from '#src/ui/Field.tsx'
import { focusOnMount } from '#src/ui/focus.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import styles from './ReportScreen.module.css'

type AppealScreenProps = { appealToken: string; text: string; isSent: boolean; refusal: string | null }

/** Works without script: the browser sends the form, and the server answers with this page. */
export function AppealScreen({ appealToken, text, isSent, refusal }: AppealScreenProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async (input: { appealToken: string; text: string }) =>
      (await trpc()).moderation.bans.appeal.mutate(input),
  })
  const problem = error ? errorText(error, banMessages.appeal) : refusal

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    mutate({ appealToken, text: String(new FormData(event.currentTarget).get('text') ?? '') })
  }

  return (
    <div className="wrap">
      <PageHeader
        title="Appeal a ban"
        lead="Tell us why the ban should end. Moderators don't see who you are. You can appeal once."
        trail={[{ label: 'Home', href: '/' }, { label: 'Appeal a ban' }]}
      />
      {isSent || isSuccess ? (
        <div className={styles.sent}>
          <p className={styles.done} role="status" tabIndex={-1} ref={focusOnMount}>
            <Check className="icon" />
            {banMessages.appealed}
          </p>
        </div>
      ) : appealToken === '' ? (
        <EmptyState>To appeal, follow the link you get when a post is refused because of a ban.</EmptyState>
      ) : (
        <form
          className={`panel ${styles.form}`}
          action={APPEAL_CALL}
          method="post"
          encType="multipart/form-data"
          onSubmit={submit}
        >
          {problem && <Alert>{problem}</Alert>}
          <Field label="Why should the ban end?">
            <TextArea name="text" rows={5} required maxLength={banLimits.appeal} defaultValue={text} />
          </Field>
          <input type="hidden" name="appealToken" value={appealToken} />
          <Button native variant="primary" type="submit" className={styles.submit} busy={isPending}>
            Send appeal
          </Button>
        </form>
      )}
    </div>
  )
}
