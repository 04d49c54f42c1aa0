import { LoaderCircle, RotateCw } from 'lucide-react'
import { useDeferredValue } from 'react'
import { type EndedBroadcast, hasEnded, type Streamer } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { BroadcastRow } from './BroadcastRow.tsx'
import type { PlaybackProps } from './recording.ts'
import styles from './StreamerPanel.module.css'
import type { BroadcastsQuery, OwnRecording } from './useBroadcasts.ts'
import { useRecordingEditor } from './useRecordingEditor.tsx'

/** Limits the first render to one screen, because rendering hundreds of rows at once would block the browser. */
const INITIAL_ROWS = 30

type BroadcastListProps = PlaybackProps & {
  stationId: number
  streamer: Streamer
  query: BroadcastsQuery
  canEdit: boolean
}

export function BroadcastList({ query, streamer, canEdit, ...rest }: BroadcastListProps) {
  const { data: listed, isFetching, refetch } = query
  const { stationId } = rest
  const { data: own = [], refetch: refetchOwn } = useOwnRecordings({ stationId, streamerId: streamer.id }, canEdit)
  const { edit, dialogs } = useRecordingEditor(() => {
    void refetch()
    void refetchOwn()
  })
  const data = listed && addHidden(listed, own)
  const ownIds = new Set(own.map(({ id }) => id))
  const isComplete = useDeferredValue(data !== undefined)
  if (!data && isFetching) {
    return (
      <p className={cx('hint cluster', styles.note)} role="status">
        <LoaderCircle className={'icon spinner'} />
        {t('archive.loadingBroadcasts')}
      </p>
    )
  }
  if (!data) {
    return (
      <div className={cx('stack', styles.failure)}>
        <Alert>{t('archive.broadcastsFailed')}</Alert>
        <Button size="small" onClick={() => void refetch()}>
          <RotateCw className="icon icon-s" />
          {t('ui.tryAgain')}
        </Button>
      </div>
    )
  }
  if (data.length === 0) return <p className={cx('hint cluster', styles.note)}>{t('archive.noBroadcasts')}</p>
  return (
    <>
      <ul>
        {data.slice(0, isComplete ? undefined : INITIAL_ROWS).map((broadcast) => (
          <BroadcastRow
            key={broadcast.id}
            streamer={streamer}
            broadcast={broadcast}
            isHidden={broadcast.isHidden}
            onEdit={ownIds.has(broadcast.id) ? edit : undefined}
            {...rest}
          />
        ))}
      </ul>
      {dialogs}
    </>
  )
}

/** Loads the recordings of a streamer that the logged-in user may change. A guest gets none. */
const useOwnRecordings = (params: { stationId: number; streamerId: number }, canEdit: boolean) =>
  usePrivateQuery<OwnRecording[]>(['recordings', params, canEdit], async ({ recording }) =>
    canEdit ? recording.own.query(params) : [],
  )

type ListedBroadcast = EndedBroadcast & { isHidden?: boolean }

/** Adds the hidden recordings, which only their streamer and admins see. */
function addHidden(listed: EndedBroadcast[], own: OwnRecording[]): ListedBroadcast[] {
  const hidden = own.filter(({ isHidden }) => isHidden).filter(hasEnded) as ListedBroadcast[]
  if (hidden.length === 0) return listed
  const ids = new Set(hidden.map(({ id }) => id))
  return [...listed.filter(({ id }) => !ids.has(id)), ...hidden].sort((a, b) =>
    b.timestampStart.localeCompare(a.timestampStart),
  )
}
