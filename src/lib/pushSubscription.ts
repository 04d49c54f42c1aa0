import { t } from '#src/i18n/t.ts'

const WORKER = '/alerts-worker.js'

/** The refusal of a browser, with a text for the user. */
export class AlertsRefusedError extends Error {}

export const hasPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

/** Returns the fields of a subscription that the server needs. */
export function subscriptionFields(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

/** @param scope a path of the site; the worker of alerts has a subscription per scope */
export async function currentPushSubscription(scope: string): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** @throws AlertsRefusedError if the user or the browser refuses, or why `save` failed: the server must know of it */
export async function turnOnAlerts(
  scope: string,
  publicKey: string,
  save: (subscription: PushSubscription) => Promise<unknown>,
): Promise<void> {
  const subscription = await subscribePush(scope, publicKey)
  try {
    await save(subscription)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

export async function turnOffAlerts(scope: string, forget: (endpoint: string) => Promise<unknown>): Promise<void> {
  const subscription = await currentPushSubscription(scope)
  if (!subscription) return
  await forget(subscription.endpoint)
  await subscription.unsubscribe()
}

/** Asks for permission and subscribes. */
async function subscribePush(scope: string, publicKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new AlertsRefusedError(t('board.alertDenied'))
  const registration = await navigator.serviceWorker.register(WORKER, { scope })
  await waitUntilActive(registration)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  return registration.pushManager.subscribe(options).catch(() => {
    throw new AlertsRefusedError(t('board.alertRefused'))
  })
}

/** `navigator.serviceWorker.ready` never resolves here, because the page is outside the worker's scope. */
async function waitUntilActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || !worker) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve())
  })
}
