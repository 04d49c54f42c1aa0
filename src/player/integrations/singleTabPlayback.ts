import { pause } from '#src/player/engine.ts'
import { getPlayer } from '#src/player/store.ts'
import { watchPlayer } from './watchPlayer.ts'

export function pauseOtherTabs() {
  if (!('BroadcastChannel' in window)) return
  const channel = new BroadcastChannel('player')
  channel.addEventListener('message', () => {
    if (getPlayer().status !== 'paused') pause()
  })
  watchPlayer(({ status }, previous) => {
    if (previous.status === 'paused' && status !== 'paused') channel.postMessage('playing')
  })
}
