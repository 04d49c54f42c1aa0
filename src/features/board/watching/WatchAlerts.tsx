import { useState } from 'react'
import { watchLimits } from '#src/contract/watching.ts'
import { t } from '#src/i18n/t.ts'
import {
  AlertsRefusedError,
  currentPushSubscription,
  hasPush,
  subscriptionFields,
  turnOffAlerts,
  turnOnAlerts,
} from '#src/lib/pushSubscription.ts'
import { readStored, writeStored } from '#src/lib/storage.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { listOwnIds, watching } from './watchStore.ts'

/** Turns alerts by Web Push on and off. Shows nothing in browsers without them. */
export function WatchAlerts({ isOn }: { isOn: boolean }) {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (!hasPush()) return null

  async function change(on: boolean) {
    setIsBusy(true)
    setError(null)
    try {
      const calls = (await trpc()).board.watching
      if (on) await turnOnAlerts(SCOPE, (await calls.key.query()).publicKey, save)
      else await turnOffAlerts(SCOPE, (endpoint) => calls.delete.mutate({ endpoint }))
      if (!on) writeStored(SAVED_KEY, null)
      setOn(on)
    } catch (reason) {
      setError(reason instanceof AlertsRefusedError ? reason.message : errorText(reason, t('board.alertsFailed')))
    }
    setIsBusy(false)
  }

  return (
    <>
      <label className="choice">
        <Checkbox checked={isOn} aria-busy={isBusy} onChange={({ target }) => isBusy || void change(target.checked)} />
        <span>
          {t('board.alertMe')}
          <span className="hint">{t('board.alertHint')}</span>
        </span>
      </label>
      {error && <Alert>{error}</Alert>}
    </>
  )
}

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
  watching.change((state) => (state.hasAlerts === hasAlerts ? state : { ...state, hasAlerts }))

/** Tells the server what this browser watches, if that has changed, and that the browser still exists. */
export async function saveChanges(): Promise<void> {
  const subscription = await currentPushSubscription(SCOPE)
  if (!subscription) return setOn(false)
  const saved = readStored(SAVED_KEY) as { text?: unknown; at?: unknown } | null
  const isRecent = typeof saved?.at === 'number' && Date.now() - saved.at < RENEW_MS
  // Another tab may have told the server.
  if (!isRecent || saved?.text !== JSON.stringify(whatToWatch())) await save(subscription)
}
