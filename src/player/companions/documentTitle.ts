import { displayOf } from '../display.ts'
import { getPlayer, subscribePlayer } from '../store.ts'

/** Lets the title of the tab follow the song while it plays; the page's own is kept behind it. */
export function followDocumentTitle() {
  let own = document.title
  let shown = own

  function follow() {
    const state = getPlayer()
    const { title, artist, known } = displayOf(state)
    const song = [title, artist].filter(Boolean).join(' – ')
    const next = state.status === 'playing' && known ? `♪ ${song} · ${own}` : own
    if (next === document.title) return
    shown = next
    document.title = next
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
