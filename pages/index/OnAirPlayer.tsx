import { AudioWaveform, Pause, Play } from 'lucide-react'
import type { NowPlaying } from '#src/contract/radio.ts'
import { rich, t } from '#src/i18n/t.ts'
import { CoverArt } from '#src/player/bar/CoverArt.tsx'
import { LiveBadge, statusText } from '#src/player/bar/TrackStatus.tsx'
import { pause, playLive } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { getOnAir } from '#src/player/trackDisplay.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './page.module.css'

type OnAirPlayerProps = {
  /** the answer with which the server rendered the page */
  initial: NowPlaying | null
  next: { title: string; streamer: string; startsAt: Date } | null
}

export function OnAirPlayer({ initial, next }: OnAirPlayerProps) {
  const player = usePlayer()
  const { title, artist, art, host, isLoading, isOnline, listeners, isOn } = getOnAir(player, initial)
  const Icon = isOn ? Pause : Play
  const ChannelMeters = useLazyComponent(
    () => import('#src/player/bar/ChannelMeters.tsx').then((module) => module.ChannelMeters),
    isOn,
  )

  return (
    <section className={`console deck ${styles.deck}`} id="on-air" aria-labelledby="on-air-title">
      <div className={`spread ${styles.top}`}>
        <h2 className="label" id="on-air-title">
          {isOnline ? t('site.onAirNow') : t('site.radio')}
        </h2>
        <LiveBadge host={host === null ? null : ''} />
      </div>
      <div className={styles.now}>
        <CoverArt path={art} title={title} />
        <div>
          <p className={`clamp ${styles.title}`} dir="auto">
            {isLoading ? <Ruler className={styles.loading} /> : title}
          </p>
          {artist && (
            <p className={`clamp ${styles.byline}`} dir="auto">
              {artist}
            </p>
          )}
          {host && (
            <p className={`data ellipsis ${styles.host}`}>
              {rich('site.hostedBy', { nick: () => <Nick name={host} /> })}
            </p>
          )}
        </div>
      </div>
      <div className={styles.meters}>{isOn && ChannelMeters ? <ChannelMeters /> : <MetersPlaceholder />}</div>
      <div className={`cluster ${styles.actions}`}>
        <Button data-play="" onClick={() => (isOn ? pause() : playLive())}>
          <Icon className="icon" />
          {isOn ? t('player.pause') : t('player.play')}
        </Button>
        <ButtonLink href="/visualizer">
          <AudioWaveform className="icon" />
          {t('site.visualiser')}
        </ButtonLink>
        <span className={`data ${styles.listeners}`}>
          {(isOn && statusText(player)) || (isOnline && listeners > 0 && t('player.listening', { count: listeners }))}
        </span>
      </div>
      {next && (
        <p className={`data ${styles.next}`}>
          {rich('site.nextShow', {
            title: next.title,
            link: (text) => <a href="/radio">{text}</a>,
            nick: () => <Nick name={next.streamer} />,
            time: () => <Time date={next.startsAt} />,
          })}
        </p>
      )}
    </section>
  )
}

function MetersPlaceholder() {
  return (
    <div className={styles.rest} aria-hidden="true">
      <span className="data">L</span> <Ruler />
      <span className="data">R</span>
      <Ruler />
    </div>
  )
}
