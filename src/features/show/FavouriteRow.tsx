import { Trash2 } from 'lucide-react'
import type { Favourite } from '#src/lib/favouriteFile.ts'
import { formatClockTime } from '#src/ui/formatTime.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './FavouriteRow.module.css'
import { TrackName } from './TrackName.tsx'

export function FavouriteRow({ track, onRemove }: { track: Favourite; onRemove: () => void }) {
  return (
    <li className={styles.row}>
      <TrackName {...track} />
      <span className={styles.place}>
        <Time date={track.savedAt} />
        <Place {...track} />
      </span>
      <IconButton icon={Trash2} danger label={`Remove ${track.title}`} onClick={onRemove} />
    </li>
  )
}

function Place({ station, recording }: Favourite) {
  if (!recording) return <bdi>{station}</bdi>
  return (
    <a href={`/archive#streamer-${recording.streamerId}`}>
      <bdi>{recording.title}</bdi> at {formatClockTime(recording.seconds)}
    </a>
  )
}
