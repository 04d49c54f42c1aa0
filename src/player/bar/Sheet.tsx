import { AudioLines, ChevronDown, Minus, RotateCcw, RotateCw } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { SKIP_SECONDS } from '#src/player/companions/keys.ts'
import { displayOf } from '#src/player/display.ts'
import { recordingPosition, seek } from '#src/player/engine.ts'
import { setVolume, toggleMuted } from '#src/player/sound/loudness.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useBackCloses } from '#src/ui/layers.ts'
import { Art } from './Art.tsx'
import { Level } from './Level.tsx'
import { Live } from './Live.tsx'
import { Meters } from './Meters.tsx'
import { PlayKey } from './PlayKey.tsx'
import { Seek } from './Seek.tsx'
import styles from './Sheet.module.css'
import { SheetFoot } from './SheetFoot.tsx'
import { SheetSide } from './SheetSide.tsx'
import { StatusText } from './StatusText.tsx'
import { Times } from './Times.tsx'
import { ToLive } from './ToLive.tsx'
import { Volume } from './Volume.tsx'

const fold = () => setPlayer({ maximised: false })

function foldOnEscape(event: KeyboardEvent) {
  if (event.key === 'Escape') fold()
}

/** The whole console: everything that is known about what is on, and every key there is. */
export function Sheet() {
  const player = usePlayer()
  const { title, artist, art, host } = displayOf(player)
  useBackCloses(true, fold)
  const isRecording = player.source.kind === 'recording'

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape folds it from wherever the focus is inside
    <div className={`wrap ${styles.sheet}`} onKeyDown={foldOnEscape}>
      <header className={styles.bar}>
        <span className={`label ${styles.kind}`}>{isRecording ? 'From the archive' : 'On air'}</span>
        {isRecording ? <ToLive /> : <Live host={host} />}
        <StatusText className={styles.status} />
        <span className={styles.folds}>
          <IconButton icon={Minus} label="Minimise" onClick={() => setPlayer({ maximised: false, minimised: true })} />
          <IconButton
            icon={ChevronDown}
            label="Restore"
            data-fold=""
            onClick={() => setPlayer({ maximised: false, minimised: false })}
          />
        </span>
      </header>
      <div className={styles.grid}>
        <Art path={art} title={title} className={styles.art} />
        <div className={styles.main}>
          <div className={styles.names}>
            <h2 className={styles.title} dir="auto" title={title}>
              {title}
            </h2>
            {artist && (
              <p className={styles.artist} dir="auto" title={artist}>
                {artist}
              </p>
            )}
          </div>
          {isRecording ? <Seek className={styles.signal} /> : <Level className={styles.signal} />}
          <Times className={styles.times} apart />
          <div className={styles.keys}>
            {isRecording && (
              <IconButton
                icon={RotateCcw}
                label={`Back ${SKIP_SECONDS} seconds`}
                onClick={() => seek(recordingPosition().at - SKIP_SECONDS)}
              />
            )}
            <PlayKey className={styles.key} />
            {isRecording && (
              <IconButton
                icon={RotateCw}
                label={`Forward ${SKIP_SECONDS} seconds`}
                onClick={() => seek(recordingPosition().at + SKIP_SECONDS)}
              />
            )}
            <ButtonLink href="/visualizer">
              <AudioLines className="icon" />
              Visualiser
            </ButtonLink>
            <Volume
              className={styles.volume}
              value={player.volume}
              muted={player.muted}
              onChange={setVolume}
              onMute={toggleMuted}
            />
          </div>
        </div>
        <div className={styles.side}>
          <div>
            <SheetSide />
          </div>
          <Meters />
        </div>
      </div>
      <SheetFoot />
    </div>
  )
}
