import { t } from '#src/i18n/t.ts'
import { currentPushSubscription, hasPush, subscribePush, subscriptionFields } from '#src/lib/pushSubscription.ts'
import { queryClient, useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'

/** No page needs to be controlled by the worker. */
const SCOPE = '/admin/'
const ALERTS = ['push-alerts']

/** Returns whether this browser receives alerts. Fails for users who do not moderate. */
export const usePushAlerts = () =>
  useQuery({
    queryKey: ALERTS,
    queryFn: async () => {
      const calls = (await trpc()).moderation.alerts
      const { publicKey } = await calls.key.query()
      const isSupported = hasPush()
      const subscription = isSupported ? await currentPushSubscription(SCOPE) : null
      // Repeated, because the server may have lost it: backups leave out subscriptions.
      const store = async (form: ReturnType<typeof subscriptionFields>) => {
        await calls.subscribe.mutate(form)
        return true
      }
      const isOn = subscription !== null && (await store(subscriptionFields(subscription)).catch(() => false))
      return { publicKey, isSupported, isOn }
    },
    gcTime: 0,
    retry: false,
  })

export const useAlertSwitch = (publicKey: string | undefined) =>
  useMutation({
    mutationFn: async (isOn: boolean) => (isOn ? turnOn(publicKey ?? '') : turnOff()),
    onSuccess: (_result, isOn) => toast(isOn ? t('moderation.alertsOn') : t('moderation.alertsOff')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ALERTS }),
  })

async function turnOn(publicKey: string): Promise<void> {
  const subscription = await subscribePush(SCOPE, publicKey)
  try {
    await (await trpc()).moderation.alerts.subscribe.mutate(subscriptionFields(subscription))
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

async function turnOff(): Promise<void> {
  const subscription = await currentPushSubscription(SCOPE)
  if (!subscription) return
  await (await trpc()).moderation.alerts.unsubscribe.mutate({ endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}
