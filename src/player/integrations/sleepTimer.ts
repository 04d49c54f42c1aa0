import { pause } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

export function startSleepTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  let currentSleepAt: number | null = null

  function update() {
    const { sleepAt } = getPlayer()
    if (sleepAt === currentSleepAt) return
    currentSleepAt = sleepAt
    clearTimeout(timer)
    if (sleepAt !== null) timer = setTimeout(pause, Math.max(0, sleepAt - Date.now()))
  }
  subscribePlayer(update)
  update()
}
