import { LoaderCircle, RotateCw } from 'lucide-react'
import { useDeferredValue } from 'react'
import { archiveMessages, type Streamer } from '#src/contract/archive.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import styles from './BroadcastList.module.css'
import { BroadcastRow } from './BroadcastRow.tsx'
import type { PlaybackProps } from './playback.ts'
import type { BroadcastsQuery } from './useBroadcasts.ts'

/** Limits the first render to one screen, because rendering hundreds of rows at once would block the browser. */
const INITIAL_ROWS = 30

type BroadcastListProps = PlaybackProps & {
  stationId: number
  streamer: Streamer
  query: BroadcastsQuery
  /** id of the broadcast in the player bar, if this list contains it */
  currentId: number | null
  isPlaying: boolean
}

export function BroadcastList({ query, streamer, currentId, isPlaying, ...rest }: BroadcastListProps) {
  const { data, isFetching, refetch } = query
  const isComplete = useDeferredValue(data !== undefined)
  if (!data && isFetching) {
    return (
      <p className={cx('hint', styles.note)} role="status">
        <LoaderCircle className={cx('icon', styles.spinner)} />
        Loading broadcasts…
      </p>
    )
  }
  if (!data) {
    return (
      <div className={styles.failure}>
        <Alert>{archiveMessages.loadBroadcasts}</Alert>
        <Button size="small" onClick={() => void refetch()}>
          <RotateCw className="icon icon-s" />
          Try again
        </Button>
      </div>
    )
  }
  if (data.length === 0) return <p className={cx('hint', styles.note)}>{archiveMessages.noBroadcasts}</p>
  return (
    <ul>
      {data.slice(0, isComplete ? undefined : INITIAL_ROWS).map((broadcast) => (
        <BroadcastRow
          key={broadcast.id}
          streamer={streamer}
          broadcast={broadcast}
          isCurrent={broadcast.id === currentId}
          isPlaying={broadcast.id === currentId && isPlaying}
          {...rest}
        />
      ))}
    </ul>
  )
}
