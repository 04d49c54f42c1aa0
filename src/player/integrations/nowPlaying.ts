import { NOW_PLAYING_SECONDS, type NowPlaying, UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { openLive } from '#src/lib/live.ts'
import { trpc } from '#src/lib/trpc.ts'
import { getPlayer, setPlayer, subscribePlayer } from '#src/player/store.ts'

/** Polls after this long without an event. */
const QUIET_MS = 12_000

let heardAt = 0
let asking = false

function take(nowPlaying: NowPlaying) {
  heardAt = Date.now()
  setPlayer({ nowPlaying, nowPlayingAt: heardAt })
}

export async function fetchNowPlaying(): Promise<void> {
  if (asking) return
  asking = true
  const { stationId } = getPlayer()
  const answer = await trpc()
    .then((calls) => calls.radio.nowPlaying.query({ stationId }))
    .catch(() => UNKNOWN_NOW_PLAYING)
  asking = false
  if (stationId === getPlayer().stationId) take(answer)
  else void fetchNowPlaying()
}

/** Follows what is on air by events, and polls when none arrive. */
export function subscribeNowPlaying() {
  let followed = 0
  let stop = () => {}

  function follow() {
    const { stationId } = getPlayer()
    if (stationId === followed) return
    if (followed !== 0) void fetchNowPlaying()
    followed = stationId
    stop()
    stop = openLive({
      topics: [`radio:${stationId}`],
      onEvent: ({ change }) => {
        if (change.kind === 'now-playing' && stationId === getPlayer().stationId) take(change.nowPlaying)
      },
      onStale: () => void fetchNowPlaying(),
    })
  }
  subscribePlayer(follow)
  follow()

  setInterval(() => {
    const isUnseen = document.hidden && getPlayer().status === 'paused'
    if (!isUnseen && Date.now() - heardAt > QUIET_MS) void fetchNowPlaying()
  }, NOW_PLAYING_SECONDS * 1000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - heardAt > QUIET_MS) void fetchNowPlaying()
  })
}
