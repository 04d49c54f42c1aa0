import { pause } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

export function startSleepTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  let set: number | null = null

  function follow() {
    const { sleepAt } = getPlayer()
    if (sleepAt === set) return
    set = sleepAt
    clearTimeout(timer)
    if (sleepAt !== null) timer = setTimeout(pause, Math.max(0, sleepAt - Date.now()))
  }
  subscribePlayer(follow)
  follow()
}
