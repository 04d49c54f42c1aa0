import { AudioWaveform, Pause, Play } from 'lucide-react'
import { type NowPlaying, radioMessages } from '#src/contract/radio.ts'
import { CoverArt } from '#src/player/bar/CoverArt.tsx'
import { LiveBadge } from '#src/player/bar/LiveBadge.tsx'
import { statusText } from '#src/player/bar/StatusText.tsx'
import { pause, playLive } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './OnAirPlayer.module.css'

/** @param initial what was on air when the server rendered the page */
export function OnAirPlayer({ initial }: { initial: NowPlaying | null }) {
  const player = usePlayer()
  const nowPlaying = player.nowPlayingAt === 0 ? initial : player.nowPlaying
  const isLoading = player.nowPlayingAt === 0 && initial === null
  const isOnline = nowPlaying?.online ?? false
  const listeners = nowPlaying?.listeners.current ?? 0
  // Shows the live programme even while the player bar plays a recording.
  const live = { ...player, source: { kind: 'live' as const }, nowPlaying }
  const { title, artist, art, host } = getTrackDisplay(isOnline ? live : { ...live, nowPlaying: null })
  const byline = nowPlaying?.available === false && !isOnline ? radioMessages.unavailable : artist
  const isOn = player.source.kind === 'live' && player.status !== 'paused'
  const Icon = isOn ? Pause : Play
  const ChannelMeters = useLazyComponent(
    () => import('#src/player/bar/ChannelMeters.tsx').then((module) => module.ChannelMeters),
    isOn,
  )

  return (
    <section className={`console ${styles.deck}`} id="on-air" aria-labelledby="on-air-title">
      <div className={styles.top}>
        <h2 className="label" id="on-air-title">
          {isOnline ? 'On air now' : 'Radio'}
        </h2>
        <LiveBadge host={host === null ? null : ''} />
      </div>
      <div className={styles.now}>
        <CoverArt path={art} title={title} />
        <div>
          <p className={styles.title} dir="auto">
            {isLoading ? <Ruler className={styles.loading} /> : title}
          </p>
          {byline && (
            <p className={styles.byline} dir="auto">
              {byline}
            </p>
          )}
          {host && (
            <p className={`data ${styles.host}`}>
              hosted by <Nick name={host} />
            </p>
          )}
        </div>
      </div>
      <div className={styles.meters}>{isOn && ChannelMeters ? <ChannelMeters /> : <MetersPlaceholder />}</div>
      <div className={styles.actions}>
        <Button data-play="" onClick={() => (isOn ? pause() : playLive())}>
          <Icon className="icon" />
          {isOn ? 'Pause' : 'Play'}
        </Button>
        <ButtonLink href="/visualizer">
          <AudioWaveform className="icon" />
          Visualiser
        </ButtonLink>
        <span className={`data ${styles.listeners}`}>
          {(isOn && statusText(player)) || (isOnline && listeners > 0 && `${listeners} listening`)}
        </span>
      </div>
    </section>
  )
}

function MetersPlaceholder() {
  return (
    <div className={styles.rest} aria-hidden="true">
      <span className="data">L</span>
      <Ruler />
      <span className="data">R</span>
      <Ruler />
    </div>
  )
}
