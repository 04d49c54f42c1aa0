import { Check, Trash2 } from 'lucide-react'
import { pasteMessages } from '#src/contract/paste.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Remaining } from '#src/ui/Remaining.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './DeletePaste.module.css'

type DeletePasteProps = { pasteId: string; token: string; createdAt: Date; expiresAt: Date; now: Date }

/** Asks whoever came by the delete link; opening the link alone changes nothing. */
export function DeletePaste({ pasteId, token, createdAt, expiresAt, now }: DeletePasteProps) {
  const deletion = useMutation({ mutationFn: async () => (await trpc()).paste.delete.mutate({ pasteId, token }) })

  if (deletion.isSuccess) {
    return (
      <div className={styles.screen}>
        <p className={styles.done} role="status">
          <Check className="icon" />
          The paste is deleted.
        </p>
        <p>
          <ButtonLink href="/paste-service">Back to Paste Service</ButtonLink>
        </p>
      </div>
    )
  }
  return (
    <div className={styles.screen}>
      {deletion.isError && <Alert>{errorText(deletion.error, pasteMessages.delete)}</Alert>}
      <div className={styles.keys}>
        <Tag>
          Created <Time date={createdAt} />
        </Tag>
        <Remaining expiresAt={expiresAt} now={now} />
      </div>
      <p>It will be gone at once, for everybody. This cannot be undone.</p>
      <div className={styles.keys}>
        <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
          <Trash2 className="icon" />
          Delete paste
        </Button>
        <ButtonLink href="/paste-service">Keep it</ButtonLink>
      </div>
    </div>
  )
}
