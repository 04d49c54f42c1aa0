import { useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { RequestRows } from './RequestRows.tsx'
import type { LoadedQueue } from './useRequestQueue.ts'

type State = { queue: LoadedQueue } | { failure: string } | null

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
        (error) =>
          show({ failure: errorCode(error) === 'NOT_FOUND' ? t('show.requestsOff') : t('show.requestsFailed') }),
      )
    return () => {
      isMounted = false
    }
  }, [])

  if (state === null) return <p role="status">{t('ui.loading')}</p>
  if ('failure' in state) return <Alert>{state.failure}</Alert>
  return <RequestRows initial={state.queue} canFinish={canFinish} />
}
