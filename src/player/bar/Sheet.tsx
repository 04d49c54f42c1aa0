import { AudioLines, ChevronDown, Minus, RotateCcw, RotateCw } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { isOwnRecording } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { skip } from '#src/player/engine.ts'
import { SKIP_SECONDS } from '#src/player/integrations/keyboardShortcuts.ts'
import { type Recording, setPlayer, usePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useCloseOnBack } from '#src/ui/overlayHistory.ts'
import { ChannelMeters } from './ChannelMeters.tsx'
import { CoverArt } from './CoverArt.tsx'
import { FavouriteButton } from './FavouriteButton.tsx'
import { LevelHistory } from './LevelHistory.tsx'
import { PlayButton } from './PlayButton.tsx'
import { SeekBar } from './SeekBar.tsx'
import styles from './Sheet.module.css'
import { SheetDetails } from './SheetDetails.tsx'
import { SheetFooter } from './SheetFooter.tsx'
import { MarkedSeekBar } from './SheetTracks.tsx'
import { BackToLiveButton, LiveBadge, PlaybackTime, StatusText } from './TrackStatus.tsx'
import { VolumeControl } from './VolumeControl.tsx'

const fold = () => setPlayer({ maximised: false })

function foldOnEscape(event: KeyboardEvent) {
  if (event.key === 'Escape') fold()
}

export function Sheet() {
  const player = usePlayer()
  const { title, artist, art, host, streamer } = getTrackDisplay(player)
  useCloseOnBack(true, fold)
  const { recording } = player
  const isRecording = recording !== null

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the sheet wherever the focus is inside
    <div className={`wrap ${styles.sheet}`} data-sheet="" onKeyDown={foldOnEscape}>
      <header className={styles.bar}>
        <span className={`label ${styles.kind}`}>{isRecording ? t('player.fromArchive') : t('player.onAir')}</span>
        {isRecording ? <BackToLiveButton /> : <LiveBadge host={host} />}
        <StatusText className={styles.status} />
        <span className={styles.folds}>
          <IconButton
            icon={Minus}
            label={t('player.minimise')}
            onClick={() => setPlayer({ maximised: false, minimised: true })}
          />
          <IconButton
            icon={ChevronDown}
            label={t('player.restore')}
            data-fold=""
            onClick={() => setPlayer({ maximised: false, minimised: false })}
          />
        </span>
      </header>
      <div className={styles.grid}>
        <CoverArt path={art} title={title} streamer={streamer} size={240} className={styles.art} />
        <div className={styles.main}>
          <div className={styles.names}>
            <h2 className={`clamp ${styles.title}`} dir="auto" title={title}>
              {title}
            </h2>
            {artist && (
              <p className={`clamp ${styles.artist}`} dir="auto" title={artist}>
                {artist}
              </p>
            )}
          </div>
          <Signal recording={recording} />
          <PlaybackTime className={styles.times} apart />
          <div className={styles.buttons}>
            {isRecording && (
              <IconButton
                icon={RotateCcw}
                label={t('player.skipBack', { seconds: SKIP_SECONDS })}
                onClick={() => skip(-SKIP_SECONDS)}
              />
            )}
            <PlayButton className={styles.playButton} />
            {isRecording && (
              <IconButton
                icon={RotateCw}
                label={t('player.skipForward', { seconds: SKIP_SECONDS })}
                onClick={() => skip(SKIP_SECONDS)}
              />
            )}
            <FavouriteButton className={styles.favourite} />
            <ButtonLink href="/visualizer">
              <AudioLines className="icon" />
              {t('site.visualiser')}
            </ButtonLink>
            <VolumeControl className={styles.volume} />
          </div>
        </div>
        <div className={styles.side}>
          <div>
            <SheetDetails />
          </div>
          <ChannelMeters />
        </div>
      </div>
      <SheetFooter />
    </div>
  )
}

function Signal({ recording }: { recording: Recording | null }) {
  if (!recording) return <LevelHistory className={styles.signal} />
  if (!isOwnRecording(recording.broadcastId)) return <SeekBar className={styles.signal} />
  return <MarkedSeekBar recording={recording} className={styles.marked} />
}
