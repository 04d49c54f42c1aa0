import { Check, SkipForward } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RequestQueue, SongRequestView } from '#src/contract/songRequest.ts'
import { rich, t } from '#src/i18n/t.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { errorCode, errorText, trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './RequestRows.module.css'
import { TrackName } from './TrackName.tsx'

type RequestRowsProps = {
  initial: LoadedQueue
  /** for admins and the streamer on air */
  canFinish: boolean
}

/** Lists the waiting requests, and keeps the list current. */
export function RequestRows({ initial, canFinish }: RequestRowsProps) {
  const { queue, refetch } = useRequestQueue(initial)
  const [busyId, setBusyId] = useState<number | null>(null)

  async function finish({ id, title }: SongRequestView, outcome: 'played' | 'skipped') {
    setBusyId(id)
    try {
      await (await trpc()).songRequest.finish.mutate({ id, outcome })
      toast(outcome === 'played' ? t('show.played', { title }) : t('show.skipped', { title }))
    } catch (error) {
      toast(errorText(error, t('show.finishFailed')))
    }
    await refetch()
    setBusyId(null)
  }

  return (
    <>
      {queue.streamerName !== null && (
        <p className={styles.note}>
          {rich('show.streamerSees', { streamer: queue.streamerName, name: (text) => <bdi>{text}</bdi> })}
        </p>
      )}
      {queue.requests.length === 0 ? (
        <EmptyState hint={t('show.noRequestsHint')}>{t('show.noRequests')}</EmptyState>
      ) : (
        <ol className={styles.rows}>
          {queue.requests.map((request, index) => (
            <li key={request.id} id={`request-${request.id}`}>
              <span className={styles.place}>{index + 1}</span>
              <TrackName {...request} />
              <span className={styles.when}>
                {request.expectedAt && <RelativeTime date={request.expectedAt} />}
                {request.source === 'irc' && <span>{t('show.fromIrc')}</span>}
              </span>
              {canFinish && (
                <span className={styles.actions}>
                  <IconButton
                    icon={Check}
                    label={t('show.markPlayed', { title: request.title })}
                    disabled={busyId !== null}
                    onClick={() => finish(request, 'played')}
                  />
                  <IconButton
                    icon={SkipForward}
                    label={t('show.skip', { title: request.title })}
                    danger
                    disabled={busyId !== null}
                    onClick={() => finish(request, 'skipped')}
                  />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

export type LoadedQueue = RequestQueue & { lastEventId: string }

/** Keeps the queue current. The start and the end of a broadcast change it, too. */
function useRequestQueue({ lastEventId, ...initialData }: LoadedQueue) {
  const { data, refetch } = usePageQuery<RequestQueue>({
    queryKey: ['song-requests', lastEventId],
    queryFn: async () => (await trpc()).songRequest.list.query(),
    initialData,
  })
  useEvents({
    topics: ['shows'],
    lastEventId,
    onEvent: ({ change }, refetchSoon) => {
      if (change.kind === 'requests' || change.kind === 'broadcast') refetchSoon()
    },
    refetch,
  })
  return { queue: data, refetch }
}

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
