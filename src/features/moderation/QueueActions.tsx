import { Clock } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { QueueItem } from '#src/contract/queue.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorCode, errorText, trpc } from '#src/lib/trpc.ts'
import { canBeShortcut, OUTSIDE_FIELDS } from '#src/player/shortcuts.ts'
import { usePlayer } from '#src/player/store.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { toast } from '#src/ui/Toast.tsx'
import styles from './QueueActions.module.css'
import { isDecided, type QueueAction } from './queueActions.ts'

/** Ignores keys and taps for this time, so that a double tap neither decides the next item nor confirms a question. */
const SETTLE_MS = 300

type QueueActionsProps = {
  item: QueueItem
  actions: QueueAction[]
  onPoster: () => void
  /** loads the next item */
  onDone: () => Promise<void>
  onLater: () => void
}

/**
 * Offers a key and a button for each action. What cannot be undone needs a second key or tap. The player's switch of
 * shortcuts turns the letters off.
 */
export function QueueActions({ item, actions, onPoster, onDone, onLater }: QueueActionsProps) {
  const [asked, setAsked] = useState<string | null>(null)
  const [isSettled, setSettled] = useState(false)
  const { shortcuts } = usePlayer()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (action: Extract<QueueAction, { run: unknown }>) => action.run(await trpc()),
    onSuccess: async (_result, { done }) => {
      await onDone()
      toast(done)
    },
    onError: (cause) => {
      setAsked(null)
      if (!isDecided(item, errorCode(cause))) return undefined
      toast(errorText(cause, t('moderation.reportClosed')))
      return onDone()
    },
  })
  useEffect(() => {
    if (isSettled) return undefined
    const timer = setTimeout(() => setSettled(true), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isSettled])

  function choose(action: QueueAction) {
    if (isPending || !isSettled) return
    if (action.question && asked !== action.key) {
      setAsked(action.key)
      setSettled(false)
    } else if ('opens' in action) onPoster()
    else mutate(action)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, repeat } = event
    if (key === 'Escape' && !document.querySelector('dialog[open]')) setAsked(null)
    if (repeat || !canBeShortcut(event, OUTSIDE_FIELDS)) return
    const action = actions.find((one) => one.key === key && (asked === null || asked === key))
    if (action) choose(action)
    else if (key === 'p') document.querySelector<HTMLElement>('[data-uncover]')?.click()
    else if (key === 'n' && asked === null && !isPending) onLater()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const question = actions.find(({ key }) => key === asked)?.question
  return (
    <section className={styles.actions} aria-label={t('moderation.actions')}>
      {error && !isPending && !isDecided(item, errorCode(error)) && <Alert>{errorText(error, variables.failed)}</Alert>}
      {question && (
        <p className={styles.question} role="status">
          {question.text}
        </p>
      )}
      <div className={`cluster ${styles.row}`} data-asked={asked !== null || undefined}>
        {actions
          .filter(({ key }) => asked === null || asked === key)
          .map((action) => (
            <Button
              key={action.key}
              variant={action.variant ?? (asked === null ? 'plain' : 'danger')}
              busy={isPending && variables.key === action.key}
              aria-keyshortcuts={shortcuts ? action.key : undefined}
              aria-disabled={!isSettled || undefined}
              aria-label={asked === null ? action.label : undefined}
              onClick={() => choose(action)}
            >
              <action.icon className={cx('icon', styles.icon)} />
              <span className={action.short && styles.long}>
                {asked === null ? action.label : action.question?.label}
              </span>
              {action.short && <span className={styles.short}>{action.short}</span>}
              <Key name={action.key} />
            </Button>
          ))}
        {asked === null ? (
          <Button
            className={styles.later}
            variant="text"
            aria-keyshortcuts={shortcuts ? 'n' : undefined}
            onClick={onLater}
          >
            <Clock className={cx('icon', styles.icon)} />
            <span>{t('moderation.later')}</span>
            <Key name="n" />
          </Button>
        ) : (
          <Button aria-keyshortcuts="Escape" onClick={() => setAsked(null)}>
            {t('ui.cancel')}
            <Key name="Esc" />
          </Button>
        )}
      </div>
    </section>
  )
}

/** Shows the key of a button if shortcuts are on. Screen readers get it from `aria-keyshortcuts`. */
export function Key({ name }: { name: string }) {
  const { shortcuts } = usePlayer()
  if (!shortcuts && name !== 'Esc') return null
  return (
    <span className={styles.key} aria-hidden="true">
      {name}
    </span>
  )
}
