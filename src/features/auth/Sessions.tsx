import { authMessages } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './Account.module.css'
import { reloadSessions, useSessions } from './useAccountData.ts'

/** Lists where the user is logged in. */
export function Sessions() {
  const { data: sessions = [] } = useSessions()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (id: string) => (await trpc()).auth.endSession.mutate({ id }),
    onSettled: reloadSessions,
  })
  return (
    <section className={`panel ${styles.section}`} aria-labelledby="sessions">
      <h2 className={styles.title} id="sessions">
        Sessions
      </h2>
      {error && <Alert>{errorText(error, authMessages.sessionFailed)}</Alert>}
      <ul className={styles.list}>
        {sessions.map(({ id, client, createdAt, usedAt, current }) => (
          <li key={id} className={styles.row}>
            <div>
              {client || 'Unknown browser'}
              {current && ' · this session'}
              <p className="hint">
                Logged in <RelativeTime date={createdAt} />, last used <RelativeTime date={usedAt} />
              </p>
            </div>
            {!current && (
              <Button size="small" disabled={isPending} onClick={() => mutate(id)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
