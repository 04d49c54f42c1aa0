import type { LiveSound } from './sound.ts'
import type { BroadcastObserver, LiveTitle } from './types.ts'

const HISTORY_LENGTH = 5

export type TitleAt = { title: LiveTitle; at: Date }
export type LivePlaying = {
  streamer: string
  title: LiveTitle
  since: Date
  /** newest first */
  history: TitleAt[]
}

/** The sound and the title of the streamer on air, for the built-in station. */
export type LiveStation = {
  sound: LiveSound
  /** Returns null while no streamer is on air. */
  playing(): LivePlaying | null
  /** Calls the listener when `playing` changes. @returns a function that removes it */
  onChange(listener: () => void): () => void
}

/** Remembers the titles of the broadcast on air. */
export function createTitleLog(now: () => Date, onChange: () => void) {
  let playing: LivePlaying | null = null
  const set = (next: LivePlaying | null) => {
    playing = next
    onChange()
  }
  const observer: BroadcastObserver = {
    onStart({ streamer: { name }, title, startedAt }) {
      set({ streamer: name, title: { artist: '', title: title ?? name }, since: startedAt, history: [] })
    },
    onTitle(_broadcast, title) {
      if (!playing) return
      const isFirst = playing.title.artist === '' && playing.history.length === 0
      const history = isFirst ? [] : [{ title: playing.title, at: playing.since }, ...playing.history]
      set({ ...playing, title, since: now(), history: history.slice(0, HISTORY_LENGTH) })
    },
    onEnd: () => set(null),
  }
  return { observer, playing: () => playing }
}
