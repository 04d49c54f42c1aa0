import { getPlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { watchPlayer } from './watchPlayer.ts'

/** Limits the song text, to leave room for the page's title. */
const MAX_SONG_LENGTH = 80

export function syncDocumentTitle() {
  let pageTitle = document.title
  let lastTitle = pageTitle

  function update() {
    const state = getPlayer()
    const { title, artist, isKnown } = getTrackDisplay(state)
    // Normalises white space like the browser, so that the result can be compared with document.title.
    const fullSong = [title, artist].filter(Boolean).join(' – ').replace(/\s+/g, ' ').trim()
    const song = [...fullSong].slice(0, MAX_SONG_LENGTH).join('')
    const next = state.status === 'playing' && isKnown ? `♪ ${song} · ${pageTitle}` : pageTitle
    if (next === document.title) return
    document.title = next
    lastTitle = document.title
  }

  // When a navigation sets a new title, adds the song to it.
  new MutationObserver(() => {
    if (document.title === lastTitle) return
    pageTitle = document.title
    lastTitle = pageTitle
    update()
  }).observe(document.head, { childList: true, subtree: true, characterData: true })
  watchPlayer(update)
}
