import { useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { RequestRows } from './RequestRows.tsx'
import type { LoadedQueue } from './useRequestQueue.ts'

type State = { queue: LoadedQueue } | 'off' | 'failed' | null

/** Loads the waiting requests for a page that does not have them. Shows a text if the station takes no requests. */
export function RequestList({ canFinish }: { canFinish: boolean }) {
  const [state, setState] = useState<State>(null)

  useEffect(() => {
    let isMounted = true
    const show = (next: State) => isMounted && setState(next)
    trpc()
      .then((calls) => calls.songRequest.list.query())
      .then(
        (queue) => show({ queue }),
        (error) => show(errorCode(error) === 'NOT_FOUND' ? 'off' : 'failed'),
      )
    return () => {
      isMounted = false
    }
  }, [])

  if (state === null) return <p role="status">{t('ui.loading')}</p>
  if (state === 'off') return <p className="hint">{t('show.requestsOff')}</p>
  if (state === 'failed') return <Alert>{t('show.requestsFailed')}</Alert>
  return <RequestRows initial={state.queue} canFinish={canFinish} />
}
