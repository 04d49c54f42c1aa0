import { Check, SkipForward } from 'lucide-react'
import { useState } from 'react'
import type { RequestQueue, SongRequestView } from '#src/contract/songRequest.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './Songs.module.css'
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
        <ol className={cx('ruled', styles.list, styles.rows)}>
          {queue.requests.map((request, index) => (
            <li key={request.id} id={`request-${request.id}`}>
              <span className="data">{index + 1}</span>
              <TrackName {...request} />
              <span className={cx('data', styles.when)}>
                {request.expectedAt && <RelativeTime date={request.expectedAt} isAhead />}
                {request.source === 'irc' && <span>{t('show.fromIrc')}</span>}
              </span>
              {canFinish && (
                <span className="cluster">
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
  const { data, refetch } = useLiveData<RequestQueue>({
    initialData,
    lastEventId,
    read: async () => (await trpc()).songRequest.list.query(),
    topic: 'shows',
    isChange: ({ kind }) => kind === 'requests' || kind === 'broadcast',
  })
  return { queue: data, refetch }
}
