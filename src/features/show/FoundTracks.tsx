import type { FoundTrack } from '#src/contract/songRequest.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { Button } from '#src/ui/Button.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './FoundTracks.module.css'
import { TrackName } from './TrackName.tsx'

/** Lists tracks with buttons that send the form around the list. */
export function FoundTracks({ tracks, busyId }: { tracks: FoundTrack[]; busyId: number | null }) {
  return (
    <ul className={styles.tracks}>
      {tracks.map((track) => (
        <li key={track.id}>
          <TrackName {...track} />
          <span className={styles.length}>{formatClockTime(track.seconds)}</span>
          {track.availableAt ? (
            <span className={styles.later}>
              <AvailableAgain at={track.availableAt} />
            </span>
          ) : (
            <Button
              native
              type="submit"
              size="small"
              name="trackId"
              value={track.id}
              busy={busyId === track.id}
              disabled={busyId !== null}
              aria-label={t('show.requestTrack', { title: track.title })}
            >
              {t('show.request')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows the exact time: 'in 1 h' can mean almost two hours. */
const AvailableAgain = ({ at }: { at: Date }) => rich('show.availableAgain', { time: () => <Time date={at} /> })
