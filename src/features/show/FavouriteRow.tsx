import { Trash2 } from 'lucide-react'
import { rich, t } from '#src/i18n/t.ts'
import type { Favourite } from '#src/lib/favouriteFile.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
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
      <IconButton icon={Trash2} danger label={t('show.removeFavourite', { title: track.title })} onClick={onRemove} />
    </li>
  )
}

function Place({ station, recording }: Favourite) {
  if (!recording) return <bdi>{station}</bdi>
  return (
    <a href={`/archive#streamer-${recording.streamerId}`}>
      {rich('show.favouritePlace', {
        title: recording.title,
        time: formatClockTime(recording.seconds),
        name: (text) => <bdi>{text}</bdi>,
      })}
    </a>
  )
}
