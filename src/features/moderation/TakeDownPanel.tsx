import { Check, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import styles from './ReportScreen.module.css'

/** Lets an admin take down the item at `url` without a report. */
export function TakeDownPanel({ url }: { url: string }) {
  const [isAsked, setAsked] = useState(false)
  const takedown = useMutation({ mutationFn: async () => (await trpc()).moderation.takedown.mutate({ url }) })

  if (takedown.isSuccess) {
    return (
      <div className={styles.admin} role="status">
        <p className={styles.done}>
          <Check className="icon" />
          {t('moderation.takenDown')}
        </p>
      </div>
    )
  }
  return (
    <section className={styles.admin} aria-label={t('moderation.forAdmins')}>
      {takedown.isError && <Alert>{errorText(takedown.error, t('moderation.resolveFailed'))}</Alert>}
      <p>{t('moderation.takeDownHint')}</p>
      {isAsked ? (
        <div className={styles.row}>
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
