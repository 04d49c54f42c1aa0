import { decorateTitle } from '#src/lib/documentTitle.ts'
import { getPlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { watchPlayer } from './watchPlayer.ts'

/** Limits the song text, to leave room for the page's title. */
const MAX_SONG_LENGTH = 80

export function syncDocumentTitle() {
  watchPlayer(() => {
    const state = getPlayer()
    const { title, artist, isKnown } = getTrackDisplay(state)
    // Normalises white space like the browser, so that the result can be compared with document.title.
    const fullSong = [title, artist].filter(Boolean).join(' – ').replace(/\s+/g, ' ').trim()
    const song = [...fullSong].slice(0, MAX_SONG_LENGTH).join('')
    const isShown = state.status === 'playing' && isKnown
    decorateTitle('song', (pageTitle) => (isShown ? `♪ ${song} · ${pageTitle}` : pageTitle))
  })
}
