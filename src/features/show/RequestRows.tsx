import { Check, SkipForward } from 'lucide-react'
import { useState } from 'react'
import { type SongRequestView, songRequestMessages } from '#src/contract/songRequest.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './RequestRows.module.css'
import { TrackName } from './TrackName.tsx'
import { type LoadedQueue, useRequestQueue } from './useRequestQueue.ts'

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
      toast(outcome === 'played' ? `Played: ${title}` : `Skipped: ${title}`)
    } catch (error) {
      toast(errorText(error, songRequestMessages.finish))
    }
    await refetch()
    setBusyId(null)
  }

  return (
    <>
      {queue.streamerName !== null && (
        <p className={styles.note}>
          <bdi>{queue.streamerName}</bdi> is on air and sees the requests. The station plays what is left afterwards.
        </p>
      )}
      {queue.requests.length === 0 ? (
        <p className={styles.note}>{songRequestMessages.none}</p>
      ) : (
        <ol className={styles.rows}>
          {queue.requests.map((request, index) => (
            <li key={request.id} id={`request-${request.id}`}>
              <span className={styles.place}>{index + 1}</span>
              <TrackName {...request} />
              <span className={styles.when}>
                {request.expectedAt && <RelativeTime date={request.expectedAt} />}
                {request.source === 'irc' && <span>from IRC</span>}
              </span>
              {canFinish && (
                <span className={styles.actions}>
                  <IconButton
                    icon={Check}
                    label={`Mark ${request.title} as played`}
                    disabled={busyId !== null}
                    onClick={() => finish(request, 'played')}
                  />
                  <IconButton
                    icon={SkipForward}
                    label={`Skip ${request.title}`}
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
