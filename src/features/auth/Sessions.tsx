import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './Account.module.css'

/** Lists where the user is logged in. */
export function Sessions({ email }: { email: string }) {
  // A remount reads again: another tab or device may have changed the account.
  const { data: sessions = [], refetch } = usePrivateQuery(['sessions', email], (client) =>
    client.auth.sessions.query(),
  )
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (id: string) => (await trpc()).auth.endSession.mutate({ id }),
    onSettled: () => refetch(),
  })
  return (
    <section className="panel form" aria-labelledby="sessions">
      <h2 className="h3" id="sessions">
        {t('account.sessions')}
      </h2>
      {error && <Alert>{errorText(error, t('account.sessionFailed'))}</Alert>}
      <ul>
        {sessions.map(({ id, client, createdAt, usedAt, current }) => (
          <li key={id} className={`spread ${styles.row}`}>
            <div>
              {current ? t('account.currentSession', { client: clientText(client) }) : clientText(client)}
              <p className="hint">
                {rich('account.sessionTimes', {
                  created: () => <RelativeTime date={createdAt} />,
                  used: () => <RelativeTime date={usedAt} />,
                })}
              </p>
            </div>
            {!current && (
              <Button size="small" disabled={isPending} onClick={() => mutate(id)}>
                {t('account.endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The server names the browser and its system in English: `Firefox on Linux`. */
function clientText(client: string): string {
  const [browser, system] = client.split(' on ')
  if (!browser) return t('account.unknownBrowser')
  return system ? t('account.browserOnSystem', { browser, system }) : browser
}
