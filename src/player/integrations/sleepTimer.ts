import { pause } from '#src/player/engine.ts'
import { watchPlayer } from './watchPlayer.ts'

export function startSleepTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  watchPlayer(({ sleepAt }, previous) => {
    if (sleepAt === previous.sleepAt) return
    clearTimeout(timer)
    if (sleepAt !== null) timer = setTimeout(pause, Math.max(0, sleepAt - Date.now()))
  })
}
