import { Pause, Play } from 'lucide-react'
import { createDataPage } from '#pages/dataPage.tsx'
import { type NowPlaying, playlistPath } from '#src/contract/radio.ts'
import type { UpcomingShows } from '#src/contract/show.ts'
import { useSession } from '#src/features/auth/session.ts'
import { ShowImage, ShowTime } from '#src/features/show/ScheduleDay.tsx'
import { ScheduleScreen } from '#src/features/show/ScheduleScreen.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { CoverArt } from '#src/player/bar/CoverArt.tsx'
import { LiveBadge, statusText } from '#src/player/bar/TrackStatus.tsx'
import { pause, playLive } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { getOnAir } from '#src/player/trackDisplay.ts'
import { Button } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import type { Data } from './+data.ts'
import styles from './OnAirDeck.module.css'

export default createDataPage<Data>(function Radio({ data: { schedule, onAir, siteUrl } }) {
  const user = useSession()
  return (
    <ScheduleScreen
      initial={schedule}
      siteUrl={siteUrl}
      user={user}
      renderDeck={(shows) => <OnAirDeck onAir={onAir} {...shows} />}
    />
  )
})

type OnAirDeckProps = UpcomingShows & {
  /** the answer with which the server rendered the page; null if the radio did not answer */
  onAir: { stationId: number; nowPlaying: NowPlaying } | null
}

function OnAirDeck({ onAir, current, next }: OnAirDeckProps) {
  const player = usePlayer()
  const { title, artist, art, host, unheard, isOnline, listeners, isOn } = getOnAir(player, onAir?.nowPlaying ?? null)
  // Another streamer can be on air than the scheduled one.
  const isOnSchedule = host !== null && current?.show.streamer.toLowerCase() === host.toLowerCase()
  const show = host === null || isOnSchedule ? (current?.show ?? null) : null
  const song = artist ? `${title} – ${artist}` : title
  const Icon = isOn ? Pause : Play

  return (
    <div className={`console deck ${styles.deck}`}>
      <section aria-labelledby="on-air-title">
        <div className={`spread ${styles.top}`}>
          <h2 className="label" id="on-air-title">
            {host === null && show ? t('show.scheduledNow') : t('site.onAirNow')}
          </h2>
          <LiveBadge host={host === null ? null : ''} />
        </div>
        <div className={styles.now}>
          {show?.image ? (
            <ShowImage image={show.image} className={styles.picture} isLarge />
          ) : (
            <CoverArt path={art} title={title} size={112} className={styles.picture} />
          )}
          <div className={styles.names}>
            <p className={`clamp ${styles.title}`} dir="auto">
              {show?.title ?? (host === null ? title : t('show.liveShow'))}
            </p>
            {(show || host !== null) && (
              <p className={styles.byline}>
                <WithHost name={host ?? show?.streamer ?? ''} />
                {current && show && (
                  <>
                    {', '}
                    <ShowTime {...current} />
                  </>
                )}
              </p>
            )}
            {/* Programs that send no titles show the name of the host as the song. */}
            {isOnline && song !== host && (
              <p className={`small ${styles.song}`} dir="auto">
                {show || host !== null ? t('show.playing', { song }) : artist}
              </p>
            )}
            {unheard && (
              <p className={`small ${styles.song}`} role="status">
                {rich('radio.unheard', { name: unheard, nick: () => <Nick name={unheard} /> })}
              </p>
            )}
          </div>
        </div>
        <div className={`cluster ${styles.actions}`}>
          <Button data-play="" onClick={() => (isOn ? pause() : playLive())}>
            <Icon className="icon" />
            {isOn ? t('player.pause') : t('player.play')}
          </Button>
          <a href={playlistPath(onAir?.stationId ?? player.stationId, 'm3u')} download>
            {t('show.ownPlayer')}
          </a>
          <span className={`data ${styles.listeners}`}>
            {(isOn && statusText(player)) || (isOnline && listeners > 0 && t('player.listening', { count: listeners }))}
          </span>
        </div>
      </section>
      {next && (
        <section className={styles.next} aria-labelledby="next-title">
          <div className={`spread ${styles.top}`}>
            <h2 className="label" id="next-title">
              {t('player.next')}
            </h2>
          </div>
          <p className={`clamp ${styles.nextTitle}`} dir="auto">
            {next.show.title}
          </p>
          <p className={styles.byline}>
            <WithHost name={next.show.streamer} />
          </p>
          <p className={`data ${styles.nextTime}`}>
            <ShowTime {...next} withDay />
          </p>
        </section>
      )}
    </div>
  )
}

const WithHost = ({ name }: { name: string }) => rich('ui.withHost', { name, nick: () => <Nick name={name} /> })
