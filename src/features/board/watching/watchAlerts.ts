import { watchLimits } from '#src/contract/watching.ts'
import { currentPushSubscription, subscribePush, subscriptionFields } from '#src/lib/pushSubscription.ts'
import { readStored, writeStored } from '#src/lib/storage.ts'
import { trpc } from '#src/lib/trpc.ts'
import { changeWatching, listOwnIds, watching } from './watchStore.ts'

/** The site has no pages here: the worker of alerts must not take pages from the site's worker. */
const SCOPE = '/watching/'
/** Local storage key of the watch list that the server has. */
const SAVED_KEY = 'dtpchan_alerts_saved'
/** The server forgets browsers that stay away for long. */
const RENEW_MS = 24 * 60 * 60 * 1000

function whatToWatch() {
  const threads = watching.get().threads.filter(({ state }) => state !== 'gone')
  return {
    threads: threads.map(({ id, readId, isWatched }) => ({ id, readId, isWatched })),
    posts: [...listOwnIds()].slice(0, watchLimits.posts),
  }
}

async function save(subscription: PushSubscription): Promise<void> {
  const watched = whatToWatch()
  await (await trpc()).board.watching.save.mutate({ ...subscriptionFields(subscription), ...watched })
  writeStored(SAVED_KEY, { text: JSON.stringify(watched), at: Date.now() })
}

const setOn = (hasAlerts: boolean) =>
  changeWatching((state) => (state.hasAlerts === hasAlerts ? state : { ...state, hasAlerts }))

/** @throws AlertsRefusedError, or the refusal of the server */
export async function turnOnAlerts(): Promise<void> {
  const { publicKey } = await (await trpc()).board.watching.key.query()
  const subscription = await subscribePush(SCOPE, publicKey)
  try {
    await save(subscription)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
  setOn(true)
}

export async function turnOffAlerts(): Promise<void> {
  const subscription = await currentPushSubscription(SCOPE)
  if (subscription) {
    await (await trpc()).board.watching.delete.mutate({ endpoint: subscription.endpoint })
    await subscription.unsubscribe()
  }
  writeStored(SAVED_KEY, null)
  setOn(false)
}

/** Tells the server what this browser watches, if that has changed, and that the browser still exists. */
export async function saveChanges(): Promise<void> {
  const subscription = await currentPushSubscription(SCOPE)
  if (!subscription) return setOn(false)
  const saved = readStored(SAVED_KEY) as { text?: unknown; at?: unknown } | null
  const isRecent = typeof saved?.at === 'number' && Date.now() - saved.at < RENEW_MS
  // Another tab may have told the server.
  if (!isRecent || saved?.text !== JSON.stringify(whatToWatch())) await save(subscription)
}
