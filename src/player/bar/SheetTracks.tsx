import { useEffect, useRef } from 'react'
import type { RecordedBroadcast } from '#src/contract/archive.ts'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { findTrack, formatTrack, useTracklist } from '#src/lib/tracklists.ts'
import { playRecording } from '#src/player/engine.ts'
import type { Recording } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { Tracklist } from '#src/ui/Tracklist.tsx'
import { SeekBar } from './SeekBar.tsx'
import styles from './SheetDetails.module.css'
import { usePosition } from './usePosition.ts'

/** The unit of the marks' positions. */
const WIDTH = 1000
const TRACK = { from: 0, to: 100 }
const POST = { from: 82, to: 100 }

/** The seek bar with the tracks and the posts of the thread, and the name of the current track. */
export function MarkedSeekBar({ recording, className }: { recording: Recording; className?: string }) {
  const broadcast = useTracklist(recording.broadcastId)?.broadcast
  const { elapsed, duration } = usePosition()
  const track = broadcast?.tracks[findTrack(broadcast.tracks, elapsed)]
  return (
    <div className={className}>
      {broadcast && broadcast.tracks.length > 0 && (
        <p className={`ellipsis ${styles.current}`} dir="auto" title={track && formatTrack(track)}>
          {track ? formatTrack(track) : '\u00a0'}
        </p>
      )}
      <div className={styles.bar}>
        <SeekBar className={styles.seek} />
        {broadcast && duration > 0 && <Marks broadcast={broadcast} duration={duration} />}
      </div>
    </div>
  )
}

/** Drawn as an image, because the policy of the site forbids positions in style attributes. */
function Marks({ broadcast, duration }: { broadcast: RecordedBroadcast; duration: number }) {
  const draw = ({ from, to }: typeof TRACK, places: { seconds: number }[]) =>
    places
      .filter(({ seconds }) => seconds > 0 && seconds < duration)
      .map(({ seconds }) => `M${((seconds / duration) * WIDTH).toFixed(2)} ${from}V${to}`)
      .join('')
  return (
    <svg className={styles.marks} viewBox={`0 0 ${WIDTH} 100`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.track} d={draw(TRACK, broadcast.tracks)} />
      <path className={styles.post} d={draw(POST, broadcast.posts)} />
    </svg>
  )
}

export function SheetTracks({ recording }: { recording: Recording }) {
  const broadcast = useTracklist(recording.broadcastId)?.broadcast
  const { elapsed } = usePosition()
  const list = useRef<HTMLDivElement>(null)
  const current = broadcast ? findTrack(broadcast.tracks, elapsed) : -1

  // Scrolls only the list: `scrollIntoView` would also scroll the sheet.
  useEffect(() => {
    const item = current < 0 ? null : list.current?.querySelectorAll('li')[current]
    if (item && list.current) list.current.scrollTop = item.offsetTop - list.current.clientHeight / 3
  }, [current])

  if (!broadcast || (broadcast.tracks.length === 0 && !broadcast.thread)) return null
  const { tracks, thread, posts } = broadcast
  return (
    <section className={styles.tracks}>
      {tracks.length > 0 && (
        <>
          <h3 className="label">{t('player.tracklist')}</h3>
          <div className={styles.list} ref={list}>
            <Tracklist tracks={tracks} current={current} onJump={(seconds) => playRecording(recording, seconds)} />
          </div>
        </>
      )}
      {thread && (
        <a className={cx('data', styles.thread)} href={threadPath(thread.boardId, thread.id)}>
          {t('player.showThread', { count: posts.length })}
        </a>
      )}
    </section>
  )
}
