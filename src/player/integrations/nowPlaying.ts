import { NOW_PLAYING_SECONDS, type NowPlaying, UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { subscribeEvents } from '#src/lib/events.ts'
import { getPlayer, setPlayer, watchPlayer } from '#src/player/store.ts'

const MAX_AGE_MS = 12_000

let isFetching = false

const applyNowPlaying = (nowPlaying: NowPlaying) => setPlayer({ nowPlaying, nowPlayingAt: Date.now() })

/** Also if the clock was set back since. */
const isOutdated = () => Math.abs(Date.now() - getPlayer().nowPlayingAt) > MAX_AGE_MS

export async function fetchNowPlaying(): Promise<void> {
  if (isFetching) return
  isFetching = true
  const { stationId } = getPlayer()
  const answer: { nowPlaying?: NowPlaying } = await fetch(`/api/radio/nowplaying/${stationId}`)
    .then((response) => response.json())
    .catch(() => ({}))
  isFetching = false
  if (stationId === getPlayer().stationId) applyNowPlaying(answer.nowPlaying ?? UNKNOWN_NOW_PLAYING)
  else void fetchNowPlaying()
}

export function subscribeNowPlaying() {
  let subscribedId = 0
  let stop = () => {}

  watchPlayer(({ stationId }) => {
    if (stationId === subscribedId) return
    if (subscribedId !== 0) void fetchNowPlaying()
    subscribedId = stationId
    stop()
    stop = subscribeEvents({
      topics: [`radio:${stationId}`],
      onEvent: ({ change }) => {
        if (change.kind === 'now-playing' && stationId === getPlayer().stationId) applyNowPlaying(change.nowPlaying)
      },
      onStale: () => void fetchNowPlaying(),
    })
  })

  setInterval(() => {
    const isUnused = document.hidden && getPlayer().status === 'paused'
    if (!isUnused && isOutdated()) void fetchNowPlaying()
  }, NOW_PLAYING_SECONDS * 1000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isOutdated()) void fetchNowPlaying()
  })
}
