import { useEffect, useEffectEvent, useState } from 'react'
import { type ReportAction, type ReportedItem, reportMessages } from '#src/contract/reports.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorCode, errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './QueueScreen.module.css'

const doneTexts: Record<ReportAction, string> = {
  dismiss: 'Dismissed',
  delete: 'Deleted',
  'take-down': 'Taken down everywhere',
}

/** A key or a tap for each action. A takedown cannot be undone, so it needs a second key or tap. */
export function QueueActions({ item, onDone }: { item: ReportedItem; onDone: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const { reportId } = item
  const isGone = item.content === null && item.kind !== 'paste'
  const action = useMutation({
    mutationFn: async (action: ReportAction) => (await trpc()).moderation.resolve.mutate({ reportId, action }),
    onSuccess: (_result, action) => {
      toast(doneTexts[action])
      onDone()
    },
    onError: (error) => {
      setAsked(false)
      // Another moderator was faster.
      if (errorCode(error) !== 'CONFLICT') return
      toast(reportMessages.closed)
      onDone()
    },
  })
  const run = (wanted: ReportAction) => {
    if (!action.isPending) action.mutate(wanted)
  }
  const takeDown = () => (isAsked ? run('take-down') : setAsked(true))

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey, repeat } = event
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null
    if (isTyping || ctrlKey || metaKey || altKey || repeat) return
    if (key === 'x') run('dismiss')
    else if (key === 'n') onDone()
    else if (key === 'Escape') setAsked(false)
    else if (key === 'd' && !isGone) run('delete')
    else if (key === 't' && !isGone) takeDown()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const busy = (name: ReportAction) => action.isPending && action.variables === name
  return (
    <section className={styles.actions} aria-label="Actions">
      {action.isError && <Alert>{errorText(action.error, reportMessages.act)}</Alert>}
      {isAsked && <p className={styles.question}>It is erased everywhere, and nobody can restore it.</p>}
      <div className={styles.row}>
        {!isGone && (
          <>
            <Button variant="danger" busy={busy('take-down')} aria-keyshortcuts="t" onClick={takeDown}>
              {isAsked ? 'Take down for good' : 'Take down'}
            </Button>
            {isAsked ? (
              <Button onClick={() => setAsked(false)}>Cancel</Button>
            ) : (
              <Button busy={busy('delete')} aria-keyshortcuts="d" onClick={() => run('delete')}>
                Delete
              </Button>
            )}
          </>
        )}
        {!isAsked && (
          <>
            <Button busy={busy('dismiss')} aria-keyshortcuts="x" onClick={() => run('dismiss')}>
              Dismiss
            </Button>
            <Button variant="text" aria-keyshortcuts="n" onClick={onDone}>
              Later
            </Button>
          </>
        )}
      </div>
      <p className={`hint ${styles.keys}`}>
        Keys: <kbd>t</kbd> take down, <kbd>d</kbd> delete, <kbd>x</kbd> dismiss, <kbd>n</kbd> later
      </p>
    </section>
  )
}
