import { alertMessages } from '#src/contract/alerts.ts'
import { queryClient, useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

const WORKER = '/alerts-worker.js'
/** No page needs to be controlled by the worker. */
const SCOPE = '/admin/'
const ALERTS = ['push-alerts']

/** The refusal of a browser, with a text for the user. */
export class AlertsRefusedError extends Error {}

/** Returns whether this browser receives alerts. `key` is missing for users who do not moderate. */
export const usePushAlerts = () =>
  useQuery({
    queryKey: ALERTS,
    queryFn: async () => {
      const { publicKey } = await (await trpc()).moderation.alerts.key.query()
      const isSupported = 'serviceWorker' in navigator && 'PushManager' in window
      return { publicKey, isSupported, isOn: isSupported && (await currentSubscription()) !== null }
    },
    gcTime: 0,
    retry: false,
  })

export const useAlertSwitch = (publicKey: string | undefined) =>
  useMutation({
    mutationFn: async (isOn: boolean) => (isOn ? turnOn(publicKey ?? '') : turnOff()),
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
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  const form = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
  try {
    await (await trpc()).moderation.alerts.subscribe.mutate(form)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
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
