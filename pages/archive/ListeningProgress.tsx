import { useEffect, useRef, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { getResumePosition } from '#src/player/audio/resumePositions.ts'
import { usePosition } from '#src/player/bar/usePosition.ts'
import type { Recording } from '#src/player/types.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './ListeningProgress.module.css'

type ListeningProgressProps = { recording: Recording; isCurrent: boolean }

export function ListeningProgress({ recording, isCurrent }: ListeningProgressProps) {
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
    <div ref={scale} className={styles.progress}>
      <Ruler className={styles.scale} />
      {elapsed > 0 && (
        <span className="data">
          {t('archive.heard', { time: formatClockTime(elapsed), duration: formatClockTime(duration) })}
        </span>
      )}
    </div>
  )
}
