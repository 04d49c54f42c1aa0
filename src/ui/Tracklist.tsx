import type { Track } from '#src/contract/archive.ts'
import { rich } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import styles from './Tracklist.module.css'

type TracklistProps = {
  tracks: Track[]
  /** index of the track that plays, or -1 */
  current: number
  onJump: (seconds: number) => void
}

/** Lists the tracks of a recording. Each plays the recording from there. */
export function Tracklist({ tracks, current, onJump }: TracklistProps) {
  return (
    <ol className={styles.tracks}>
      {tracks.map(({ seconds, artist, title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a track can be repeated, and tracks never move
        <li key={index} aria-current={index === current ? 'true' : undefined}>
          <button type="button" className={styles.jump} onClick={() => onJump(seconds)}>
            {rich('player.playFrom', {
              clock: formatClockTime(seconds),
              hidden: (text) => <span className="visually-hidden">{text}</span>,
              time: (text) => <time className={`data ${styles.time}`}>{text}</time>,
            })}
            <span className={styles.name} dir="auto">
              <bdi>{title || artist}</bdi>
              {title && artist && (
                <span className="quiet">
                  {' – '}
                  <bdi>{artist}</bdi>
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
