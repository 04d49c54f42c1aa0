import { ChevronDown, ChevronUp, Headphones } from 'lucide-react'
import { usePageContext } from 'vike-react/usePageContext'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { CoverArt } from './CoverArt.tsx'
import { LevelHistory } from './LevelHistory.tsx'
import { PlayButton } from './PlayButton.tsx'
import styles from './PlayerRow.module.css'
import { BackToLiveButton, LiveBadge, PlaybackTime, StatusText, statusText } from './TrackStatus.tsx'
import { VolumeControl } from './VolumeControl.tsx'

const importSeekBar = async () => (await import('./SeekBar.tsx')).SeekBar

export function PlayerRow({ slim }: { slim: boolean }) {
  const player = usePlayer()
  const { title, artist, art, host, streamer } = getTrackDisplay(player)
  const status = statusText(player)
  const isRecording = player.recording !== null
  const SeekBar = useLazyComponent(importSeekBar, isRecording)
  // The HTML is the same for all visitors and may be a minute old, so it does not say what plays.
  const isLoading = !isRecording && player.nowPlayingAt === 0
  return (
    <div className={cx('wrap', styles.row, slim && styles.slim)}>
      <div className={styles.track}>
        <CoverArt path={art} title={title} streamer={streamer} className={styles.art} />
        <div className={styles.names}>
          {isLoading ? (
            <Ruler className={styles.loading} />
          ) : (
            <span className={`ellipsis ${styles.title}`} dir="auto">
              {title}
            </span>
          )}
          <span className={styles.under}>
            <StatusText className={styles.status} />
            {!status && (
              <span className={`ellipsis ${styles.artist}`} dir="auto">
                {artist}
              </span>
            )}
            <PlaybackTime className={styles.underTime} />
          </span>
        </div>
        {isRecording ? (
          <BackToLiveButton className={styles.toLive} />
        ) : (
          <LiveBadge host={host} className={styles.live} />
        )}
      </div>
      <div className={styles.transport}>
        <PlayButton className={styles.playButton} />
        <PlaybackTime className={styles.time} />
      </div>
      {isRecording && SeekBar ? <SeekBar className={styles.signal} /> : <LevelHistory className={styles.signal} />}
      <PresetSlot />
      <Listeners />
      <VolumeControl className={styles.volume} />
      <div className={styles.folds}>
        {!slim && (
          <IconButton
            icon={ChevronDown}
            label={t('player.minimise')}
            className={styles.minimise}
            onClick={() => setPlayer({ minimised: true })}
          />
        )}
        <IconButton
          icon={ChevronUp}
          label={slim ? t('player.restore') : t('player.maximise')}
          className={styles.maximise}
          data-fold=""
          onClick={() => setPlayer(slim ? { minimised: false } : { maximised: true })}
        />
      </div>
    </div>
  )
}

function Listeners() {
  const { nowPlaying, recording } = usePlayer()
  if (recording || !nowPlaying?.online) return null
  const { current } = nowPlaying.listeners
  if (current === 0) return null
  const text = t('player.listening', { count: current })
  return (
    <span className={cx('data', styles.listeners)} title={text}>
      <Headphones className="icon icon-s" />
      <span aria-hidden="true">{formatNumber(current)}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

function PresetSlot() {
  const isThere = usePageContext().urlPathname === '/visualizer'
  const PresetSelect = useLazyComponent(
    () => import('#src/player/visualiser/PresetSelect.tsx').then((module) => module.PresetSelect),
    isThere,
  )
  return isThere && PresetSelect ? <PresetSelect className={styles.preset} /> : null
}
