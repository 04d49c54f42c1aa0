import { type NowPlaying, radioMessages } from '#src/contract/radio.ts'
import { OnAir } from '#src/features/site/OnAir.tsx'
import { CoverArt } from '#src/player/bar/CoverArt.tsx'
import { LiveBadge } from '#src/player/bar/LiveBadge.tsx'
import { statusText } from '#src/player/bar/StatusText.tsx'
import { pause, playLive } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'

/** @param initial what was on air when the page was rendered */
export function OnAirPlayer({ initial }: { initial: NowPlaying | null }) {
  const player = usePlayer()
  const nowPlaying = player.nowPlayingAt === 0 ? initial : player.nowPlaying
  const isOnline = nowPlaying?.online ?? false
  // Shows the live programme even while the bar plays a recording.
  const live = { ...player, source: { kind: 'live' as const }, nowPlaying }
  const { title, artist, art, host } = getTrackDisplay(isOnline ? live : { ...live, nowPlaying: null })
  const isOn = player.source.kind === 'live' && player.status !== 'paused'
  const ChannelMeters = useLazyComponent(
    () => import('#src/player/bar/ChannelMeters.tsx').then((module) => module.ChannelMeters),
    isOn,
  )

  return (
    <OnAir
      isOnline={isOnline}
      title={title}
      byline={nowPlaying?.available === false && !isOnline ? radioMessages.unavailable : artist}
      host={host}
      listeners={isOnline && nowPlaying ? nowPlaying.listeners.current : null}
      status={isOn ? statusText(player) : ''}
      isOn={isOn}
      onToggle={() => (isOn ? pause() : playLive())}
      art={<CoverArt path={art} title={title} />}
      badge={<LiveBadge host={host === null ? null : ''} />}
      meters={isOn && ChannelMeters ? <ChannelMeters /> : null}
    />
  )
}
