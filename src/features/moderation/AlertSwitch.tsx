import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import {
  AlertsRefusedError,
  currentPushSubscription,
  hasPush,
  subscriptionFields,
  turnOffAlerts,
  turnOnAlerts,
} from '#src/lib/pushSubscription.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { toast } from '#src/ui/Toast.tsx'

/** Lets moderators turn on alerts of this browser. Shows nothing to other users. */
export function AlertSwitch({ email }: { email: string }) {
  const { data, refetch } = usePushAlerts(email)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (isOn: boolean) => {
      const calls = (await trpc()).moderation.alerts
      if (!isOn) return turnOffAlerts(SCOPE, (endpoint) => calls.unsubscribe.mutate({ endpoint }))
      const publicKey = data?.publicKey ?? ''
      return turnOnAlerts(SCOPE, publicKey, (made) => calls.subscribe.mutate(subscriptionFields(made)))
    },
    onSuccess: (_result, isOn) => toast(isOn ? t('moderation.alertsOn') : t('moderation.alertsOff')),
    onSettled: () => refetch(),
  })
  if (!data) return null
  const { isSupported, isOn } = data
  return (
    <section className="panel form" aria-labelledby="alerts">
      <h2 className="h3" id="alerts">
        {t('moderation.alerts')}
      </h2>
      <p>{isSupported ? t('moderation.alertsHint') : t('moderation.alertsUnsupported')}</p>
      {error && (
        <Alert>
          {error instanceof AlertsRefusedError ? error.message : errorText(error, t('moderation.alertsFailed'))}
        </Alert>
      )}
      {isSupported && (
        <Button busy={isPending} onClick={() => mutate(!isOn)}>
          {isOn ? t('moderation.stopAlerts') : t('moderation.alertMe')}
        </Button>
      )}
    </section>
  )
}

/** No page needs to be controlled by the worker. */
const SCOPE = '/admin/'

/** Returns whether this browser receives alerts. Fails for users who do not moderate. */
const usePushAlerts = (email: string) =>
  usePrivateQuery(['push-alerts', email], async ({ moderation: { alerts } }) => {
    const { publicKey } = await alerts.key.query()
    const isSupported = hasPush()
    const subscription = isSupported ? await currentPushSubscription(SCOPE) : null
    if (!subscription) return { publicKey, isSupported, isOn: false }
    // Repeated, because the server may have lost it: backups leave out subscriptions.
    const stored = alerts.subscribe.mutate(subscriptionFields(subscription))
    const isOn = await stored.then(
      () => true,
      () => false,
    )
    return { publicKey, isSupported, isOn }
  })
