import type { Track } from '#src/contract/archive.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'

/** A track in the form. `key` identifies its row. */
export type TrackFields = { key: number; time: string; artist: string; title: string; seconds: number }

export const toTrackFields = (tracks: Track[]): TrackFields[] =>
  tracks.map((track, key) => ({ ...track, key, time: formatClockTime(track.seconds) }))

/** Parses `1:02:03`, `62:03` or `3723`. Returns null for other texts. */
export function parseClockTime(text: string): number | null {
  const parts = text.trim().split(':')
  if (parts.length > 3 || !parts.every((part) => /^\d{1,6}$/.test(part))) return null
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

/** Returns the tracks, or the index of the first row whose time is wrong. Leaves out empty rows. */
export function readTrackFields(rows: TrackFields[]): { tracks: Track[] } | { wrong: number } {
  const tracks: Track[] = []
  for (const [index, { time, artist, title, seconds }] of rows.entries()) {
    if (artist.trim() === '' && title.trim() === '') continue
    // An unchanged text stands for the exact position.
    const parsed = time === formatClockTime(seconds) ? seconds : parseClockTime(time)
    if (parsed === null) return { wrong: index }
    tracks.push({ seconds: parsed, artist, title })
  }
  return { tracks }
}
