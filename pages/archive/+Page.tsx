import { useEffect, useRef, useState } from 'react'
import { reload } from 'vike/client/router'
import { createDataPage } from '#pages/dataPage.tsx'
import { ArchiveScreen } from '#src/features/archive/ArchiveScreen.tsx'
import styles from '#src/features/archive/BroadcastRow.module.css'
import type { PlaybackProps } from '#src/features/archive/recording.ts'
import { useSession } from '#src/features/auth/session.ts'
import { t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { getResumePosition } from '#src/player/audio/resumePositions.ts'
import { usePosition } from '#src/player/bar/usePosition.ts'
import { pause, playRecording } from '#src/player/engine.ts'
import type { Recording } from '#src/player/store.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import type { Data } from './+data.ts'

const playing: PlaybackProps = {
  onPlay: playRecording,
  onPause: pause,
  renderProgress: (recording, isCurrent) => <ListeningProgress recording={recording} isCurrent={isCurrent} />,
}

export default createDataPage<Data>(function Archive({ data: { lastEventId, ...data } }) {
  const user = useSession()
  useEvents({
    topics: ['shows'],
    lastEventId,
    onEvent: ({ change }, refetchSoon) => change.kind === 'broadcast' && refetchSoon(),
    refetch: async () => {
      const { queryClient } = await import('#src/lib/reactQuery.ts')
      await Promise.all([reload(), queryClient.invalidateQueries({ queryKey: ['broadcasts'] })])
    },
  })
  return <ArchiveScreen {...data} user={user} {...playing} />
})

type ListeningProgressProps = { recording: Recording; isCurrent: boolean }

function ListeningProgress({ recording, isCurrent }: ListeningProgressProps) {
  return isCurrent ? <CurrentProgress /> : <StoredProgress recording={recording} />
}

function CurrentProgress() {
  const { elapsed, duration } = usePosition()
  return <Scale elapsed={elapsed} duration={duration} />
}

function StoredProgress({ recording }: { recording: Recording }) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => setElapsed(getResumePosition(recording)), [recording])
  return <Scale elapsed={elapsed} duration={recording.duration} />
}

function Scale({ elapsed, duration }: { elapsed: number; duration: number }) {
  const scale = useRef<HTMLDivElement>(null)
  const share = duration > 0 ? Math.min(1, elapsed / duration) : 0

  useEffect(() => scale.current?.style.setProperty('--progress', `${share * 100}%`), [share])

  return (
    <div ref={scale} className={styles.heard}>
      <Ruler className={styles.scale} />
      {elapsed > 0 && (
        <span className="data">
          {t('archive.heard', { time: formatClockTime(elapsed), duration: formatClockTime(duration) })}
        </span>
      )}
    </div>
  )
}
