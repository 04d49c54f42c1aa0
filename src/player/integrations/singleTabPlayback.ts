import { pause } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

export function pauseOtherTabs() {
  if (!('BroadcastChannel' in window)) return
  const channel = new BroadcastChannel('player')
  let wasPaused = true

  channel.addEventListener('message', () => {
    if (getPlayer().status !== 'paused') pause()
  })
  function update() {
    const isPaused = getPlayer().status === 'paused'
    if (wasPaused && !isPaused) channel.postMessage('playing')
    wasPaused = isPaused
  }
  subscribePlayer(update)
  update()
}
