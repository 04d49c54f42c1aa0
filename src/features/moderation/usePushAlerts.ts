import { alertMessages } from '#src/contract/alerts.ts'
import { queryClient, useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'

const WORKER = '/alerts-worker.js'
/** No page needs to be controlled by the worker. */
const SCOPE = '/admin/'
const ALERTS = ['push-alerts']

/** The refusal of a browser, with a text for the user. */
export class AlertsRefusedError extends Error {}

/** Returns whether this browser receives alerts. Fails for users who do not moderate. */
export const usePushAlerts = () =>
  useQuery({
    queryKey: ALERTS,
    queryFn: async () => {
      const calls = (await trpc()).moderation.alerts
      const { publicKey } = await calls.key.query()
      const isSupported = 'serviceWorker' in navigator && 'PushManager' in window
      const subscription = isSupported ? await currentSubscription() : null
      // Repeated, because the server may have lost it: backups leave out subscriptions.
      const store = async (form: ReturnType<typeof formOf>) => {
        await calls.subscribe.mutate(form)
        return true
      }
      const isOn = subscription !== null && (await store(formOf(subscription)).catch(() => false))
      return { publicKey, isSupported, isOn }
    },
    gcTime: 0,
    retry: false,
  })

export const useAlertSwitch = (publicKey: string | undefined) =>
  useMutation({
    mutationFn: async (isOn: boolean) => (isOn ? turnOn(publicKey ?? '') : turnOff()),
    onSuccess: (_result, isOn) => toast(isOn ? 'Alerts are on' : 'Alerts are off'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ALERTS }),
  })

const currentSubscription = async () => {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new AlertsRefusedError(alertMessages.denied)
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  await waitUntilActive(registration)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await registration.pushManager.subscribe(options).catch(() => {
    throw new AlertsRefusedError(alertMessages.refused)
  })
  try {
    await (await trpc()).moderation.alerts.subscribe.mutate(formOf(subscription))
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

function formOf(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

async function turnOff(): Promise<void> {
  const subscription = await currentSubscription()
  if (!subscription) return
  await (await trpc()).moderation.alerts.unsubscribe.mutate({ endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}

/** `navigator.serviceWorker.ready` never resolves here, because this page is outside the worker's scope. */
async function waitUntilActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || !worker) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve())
  })
}
