import { ChevronDown, ChevronUp, Headphones } from 'lucide-react'
import { usePageContext } from 'vike-react/usePageContext'
import { displayOf } from '#src/player/display.ts'
import { setVolume, toggleMuted } from '#src/player/sound/loudness.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useLoaded } from '#src/ui/useLoaded.ts'
import { Art } from './Art.tsx'
import { Level } from './Level.tsx'
import { Live } from './Live.tsx'
import styles from './PlayerRow.module.css'
import { PlayKey } from './PlayKey.tsx'
import { StatusText, statusText } from './StatusText.tsx'
import { Times } from './Times.tsx'
import { ToLive } from './ToLive.tsx'
import { Volume } from './Volume.tsx'

const importSeek = () => import('./Seek.tsx').then((module) => module.Seek)

/** The bar as one row: what is on, play and pause, the time, the signal, the volume. */
export function PlayerRow({ slim }: { slim: boolean }) {
  const player = usePlayer()
  const { title, artist, art, host } = displayOf(player)
  const status = statusText(player)
  const isRecording = player.source.kind === 'recording'
  // most visits play no recording
  const Seek = useLoaded(importSeek, isRecording)
  return (
    <div className={cx('wrap', styles.row, slim && styles.slim)}>
      <div className={styles.track}>
        <Art path={art} title={title} className={styles.art} />
        <div className={styles.names}>
          <span className={styles.title} dir="auto">
            {title}
          </span>
          <span className={styles.under}>
            <StatusText className={styles.status} />
            {!status && (
              <span className={styles.artist} dir="auto">
                {artist}
              </span>
            )}
            <Times className={styles.underTime} />
          </span>
        </div>
        {isRecording ? <ToLive className={styles.toLive} /> : <Live host={host} className={styles.live} />}
      </div>
      <div className={styles.transport}>
        <PlayKey className={styles.key} />
        <Times className={styles.time} />
      </div>
      {isRecording && Seek ? <Seek className={styles.signal} /> : <Level className={styles.signal} />}
      <PresetSlot />
      <Listeners />
      <Volume
        className={styles.volume}
        value={player.volume}
        muted={player.muted}
        onChange={setVolume}
        onMute={toggleMuted}
      />
      <div className={styles.folds}>
        {!slim && (
          <IconButton
            icon={ChevronDown}
            label="Minimise"
            className={styles.minimise}
            onClick={() => setPlayer({ minimised: true })}
          />
        )}
        <IconButton
          icon={ChevronUp}
          label={slim ? 'Restore' : 'Maximise'}
          className={styles.maximise}
          data-fold=""
          onClick={() => setPlayer(slim ? { minimised: false } : { maximised: true })}
        />
      </div>
    </div>
  )
}

function Listeners() {
  const { nowPlaying, source } = usePlayer()
  if (source.kind !== 'live' || !nowPlaying?.online) return null
  const { current } = nowPlaying.listeners
  return (
    <span className={cx('data', styles.listeners)} title={`${current} listening`}>
      <Headphones className="icon icon-s" />
      <span aria-hidden="true">{current}</span>
      <span className="visually-hidden">{current} listening</span>
    </span>
  )
}

/** The visualiser's presets, where they are seen. */
function PresetSlot() {
  const isThere = usePageContext().urlPathname === '/visualizer'
  const PresetSelect = useLoaded(
    () => import('#src/player/visualiser/PresetSelect.tsx').then((module) => module.PresetSelect),
    isThere,
  )
  return isThere && PresetSelect ? <PresetSelect className={styles.preset} /> : null
}
