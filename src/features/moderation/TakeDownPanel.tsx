import { Check, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { reportMessages } from '#src/contract/reports.ts'
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
          It is taken down everywhere.
        </p>
      </div>
    )
  }
  return (
    <section className={styles.admin} aria-label="For admins">
      {takedown.isError && <Alert>{errorText(takedown.error, reportMessages.act)}</Alert>}
      <p>As an admin, you can take this down now. It cannot be restored.</p>
      {isAsked ? (
        <div className={styles.row}>
          <Button variant="danger" busy={takedown.isPending} onClick={() => takedown.mutate()}>
            Take down for good
          </Button>
          <Button onClick={() => setAsked(false)}>Cancel</Button>
        </div>
      ) : (
        <Button variant="danger" onClick={() => setAsked(true)}>
          <ShieldAlert className="icon" />
          Take down
        </Button>
      )}
    </section>
  )
}
