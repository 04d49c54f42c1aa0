import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { isOwnRecording } from '#src/contract/archive.ts'
import { playlistFormats, playlistPath, UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import type { UpcomingShows } from '#src/contract/show.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatMegabytes } from '#src/lib/formatBytes.ts'
import { utcDate } from '#src/lib/formatTime.ts'
import { trpc } from '#src/lib/trpc.ts'
import { usePlayer } from '#src/player/store.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { useNow } from '#src/ui/useNow.ts'
import styles from './SheetDetails.module.css'
import { SheetTracks } from './SheetTracks.tsx'

/** Limits the song list to the space in the sheet. */
const MAX_SONGS = 5
const TIME = { hour: '2-digit', minute: '2-digit' } as const

export function SheetDetails() {
  const { recording } = usePlayer()
  if (!recording) return <LiveDetails />
  return (
    <>
      <dl className={`divided ${styles.facts}`}>
        <Fact name={t('player.host')}>
          <Nick name={recording.streamer} />
        </Fact>
        <Fact name={t('player.recorded')}>
          <time dateTime={recording.startedAt}>{utcDate(new Date(recording.startedAt))}</time>
        </Fact>
        <Fact name={t('player.size')}>{formatMegabytes(recording.size)}</Fact>
      </dl>
      {isOwnRecording(recording.broadcastId) && <SheetTracks recording={recording} />}
    </>
  )
}

function LiveDetails() {
  const { nowPlaying, stationId } = usePlayer()
  const { online, listeners, live, isRequest, history } = nowPlaying?.online ? nowPlaying : UNKNOWN_NOW_PLAYING
  return (
    <>
      <dl className={`divided ${styles.facts}`}>
        {live.isLive && live.streamer && (
          <Fact name={t('player.host')}>
            <Nick name={live.streamer} />
          </Fact>
        )}
        {isRequest && <Fact name={t('player.chosenBy')}>{t('player.aListener')}</Fact>}
        {live.isLive && live.thread && (
          <Fact name={t('player.thread')}>
            <a href={live.thread}>{t('player.discuss')}</a>
          </Fact>
        )}
        {listeners.current > 0 && (
          <Fact name={t('player.listeners')}>
            {rich('player.listenersNow', {
              count: listeners.current,
              maximum: listeners.peak,
              peak: (text) => <span className={styles.peak}>{text}</span>,
            })}
          </Fact>
        )}
        <NextFact />
        {online && (
          <Fact name={t('player.otherPlayers')}>
            {playlistFormats.map((format, index) => (
              <Fragment key={format}>
                {index > 0 && ' · '}
                <a href={playlistPath(stationId, format)} download>
                  {format.toUpperCase()}
                </a>
              </Fragment>
            ))}
          </Fact>
        )}
      </dl>
      {history.length > 0 && (
        <section className={styles.history}>
          <h3 className="label">{t('player.lastSongs')}</h3>
          <ol>
            {history.slice(0, MAX_SONGS).map(({ song, playedAt, isRequest }) => (
              <li key={`${playedAt}${song.title}${song.artist}`}>
                {playedAt ? <time dateTime={playedAt}>{formatDate(new Date(playedAt), TIME)}</time> : <span />}
                <span className={`ellipsis ${styles.song}`} dir="auto">
                  <bdi>{song.title}</bdi>
                  {song.artist && (
                    <span className={styles.by}>
                      {' – '}
                      <bdi>{song.artist}</bdi>
                    </span>
                  )}
                  {isRequest && <span className={styles.by}> {t('player.requested')}</span>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** Shows the next show of the schedule, or a link to it. Asks again every minute; the server answers from memory. */
function NextFact() {
  const [{ next }, setUpcoming] = useState<Pick<UpcomingShows, 'next'>>({ next: null })
  const now = useNow()

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once per minute
  useEffect(() => {
    let isMounted = true
    trpc()
      .then(({ show }) => show.upcoming.query())
      .then(
        (upcoming) => isMounted && setUpcoming(upcoming),
        // Keeps the last answer: the rest of the player works without it.
        () => {},
      )
    return () => {
      isMounted = false
    }
  }, [now])

  return (
    <Fact name={t('player.next')}>
      {next ? (
        rich('player.nextShow', {
          title: next.show.title,
          name: next.show.streamer,
          link: (text) => <a href="/radio">{text}</a>,
          nick: () => <Nick name={next.show.streamer} />,
          time: () => <Time date={next.startsAt} />,
        })
      ) : (
        <a href="/radio">{t('player.seeSchedule')}</a>
      )}
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
