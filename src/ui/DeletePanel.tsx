import { Check, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from './Alert.tsx'
import { Button, ButtonLink } from './Button.tsx'
import styles from './DeletePanel.module.css'

type DeletePanelProps = {
  noun: 'image' | 'paste'
  onDelete: () => Promise<unknown>
  /** message if the server does not give a reason */
  failedText: string
  keepHref: string
  service: { label: string; href: string }
  children: ReactNode
}

/** Asks for confirmation, because opening a delete link must not delete anything. */
export function DeletePanel({ noun, onDelete, failedText, keepHref, service, children }: DeletePanelProps) {
  const deletion = useMutation({ mutationFn: onDelete })

  if (deletion.isSuccess) {
    return (
      <div className={styles.panel}>
        <p className={styles.done} role="status">
          <Check className="icon" />
          The {noun} is deleted.
        </p>
        <p>
          <ButtonLink href={service.href}>Back to {service.label}</ButtonLink>
        </p>
      </div>
    )
  }
  return (
    <div className={styles.panel}>
      {deletion.isError && <Alert>{errorText(deletion.error, failedText)}</Alert>}
      {children}
      <div className={styles.row}>
        <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
          <Trash2 className="icon" />
          Delete {noun}
        </Button>
        <ButtonLink href={keepHref}>Keep it</ButtonLink>
      </div>
    </div>
  )
}
