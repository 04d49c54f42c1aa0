import { pause } from '#src/player/engine.ts'
import { setPlayer } from '#src/player/store.ts'
import { watchPlayer } from './watchPlayer.ts'

/** The timer outlives pauses, which another tab or the system can cause. It ends at its time, or when it is cancelled. */
export function startSleepTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  watchPlayer(({ sleepAt, status }, previous) => {
    // A timeout stops while the device sleeps. Playback that starts after the deadline must not end at once.
    const isOver = sleepAt !== null && sleepAt <= Date.now() && previous.status === 'paused' && status !== 'paused'
    if (isOver) setPlayer({ sleepAt: null })
    else if (sleepAt !== previous.sleepAt) {
      clearTimeout(timer)
      if (sleepAt !== null) timer = setTimeout(stop, Math.max(0, sleepAt - Date.now()))
    }
  })
}

function stop() {
  pause()
  setPlayer({ sleepAt: null })
}
