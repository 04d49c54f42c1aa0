import { getPlayer, subscribePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'

/** Of a title longer than any tab the page's own would never be seen. */
const SONG_CHARACTERS = 80

/** Lets the title of the tab follow the song while it plays; the page's own is kept behind it. */
export function syncDocumentTitle() {
  let own = document.title
  let shown = own

  function follow() {
    const state = getPlayer()
    const { title, artist, known } = getTrackDisplay(state)
    // white space as the browser gives a title back, for what is set must be known again
    const words = [title, artist].filter(Boolean).join(' – ').replace(/\s+/g, ' ').trim()
    const song = [...words].slice(0, SONG_CHARACTERS).join('')
    const next = state.status === 'playing' && known ? `♪ ${song} · ${own}` : own
    if (next === document.title) return
    document.title = next
    shown = document.title
  }

  // a page that follows another sets its own title, at a time nobody tells
  new MutationObserver(() => {
    if (document.title === shown) return
    own = document.title
    shown = own
    follow()
  }).observe(document.head, { childList: true, subtree: true, characterData: true })
  subscribePlayer(follow)
  follow()
}
