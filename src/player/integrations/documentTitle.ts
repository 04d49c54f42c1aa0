import { getPlayer, subscribePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'

/** Leaves room for the page's title. */
const SONG_CHARACTERS = 80

/** Shows the playing song in the tab's title, before the page's title. */
export function syncDocumentTitle() {
  let own = document.title
  let shown = own

  function follow() {
    const state = getPlayer()
    const { title, artist, known } = getTrackDisplay(state)
    // normalise white space as browsers do, for the comparison with document.title
    const words = [title, artist].filter(Boolean).join(' – ').replace(/\s+/g, ' ').trim()
    const song = [...words].slice(0, SONG_CHARACTERS).join('')
    const next = state.status === 'playing' && known ? `♪ ${song} · ${own}` : own
    if (next === document.title) return
    document.title = next
    shown = document.title
  }

  // navigation changes the title at an unknown time
  new MutationObserver(() => {
    if (document.title === shown) return
    own = document.title
    shown = own
    follow()
  }).observe(document.head, { childList: true, subtree: true, characterData: true })
  subscribePlayer(follow)
  follow()
}
