import { useEffect, useRef, useState } from 'react'
import { getResumePosition } from '#src/player/audio/resumePositions.ts'
import { formatClockTime } from '#src/player/bar/formatTime.ts'
import { usePosition } from '#src/player/bar/usePosition.ts'
import type { Recording } from '#src/player/types.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './Heard.module.css'

type HeardProps = { recording: Recording; isCurrent: boolean }

/** How much of a recording was heard: it moves with the one in the bar, elsewhere it is the place that was kept. */
export function Heard({ recording, isCurrent }: HeardProps) {
  return isCurrent ? <HeardNow /> : <HeardBefore recording={recording} />
}

function HeardNow() {
  const { at, duration } = usePosition()
  return <Scale at={at} duration={duration} />
}

function HeardBefore({ recording }: { recording: Recording }) {
  const [at, setAt] = useState(0)
  useEffect(() => setAt(getResumePosition(recording)), [recording])
  return <Scale at={at} duration={recording.duration} />
}

function Scale({ at, duration }: { at: number; duration: number }) {
  const scale = useRef<HTMLDivElement>(null)
  const share = duration > 0 ? Math.min(1, at / duration) : 0

  useEffect(() => scale.current?.style.setProperty('--heard', `${share * 100}%`), [share])

  return (
    <div ref={scale} className={styles.heard}>
      <Ruler className={styles.scale} />
      {at > 0 && (
        <span className="data">
          {formatClockTime(at)} of {formatClockTime(duration)} heard
        </span>
      )}
    </div>
  )
}
