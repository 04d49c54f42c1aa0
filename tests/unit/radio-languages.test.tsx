import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { formatHours, formatWeekday } from '#src/features/archive/recording.ts'
import { groupByDay } from '#src/features/show/ScheduleDay.tsx'
import { formatDecibels, stateTexts } from '#src/features/streamer/sources.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import type { Language } from '#src/i18n/languages.ts'
import { parseFavouritesFile } from '#src/lib/favourites.ts'
import { formatSize } from '#src/lib/formatBytes.ts'
import { statusText } from '#src/player/bar/TrackStatus.tsx'
import { playerKeys } from '#src/player/shortcuts.ts'
import { initialPlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { Tracklist } from '#src/ui/Tracklist.tsx'

afterEach(() => {
  globalThis.readLanguage = undefined
})

const speak = (language: Language) => {
  globalThis.readLanguage = () => language
}
const monday = new Date('2027-03-22T20:05:00Z')
const MB = 1024 * 1024

test.each<[Language, string[]]>([
  ['en', ['Monday, 20:05 UTC', '22/03/2027', '12.3 MB', '1234.5 GB', '2 h 05 min', '−12.3', '−∞']],
  ['de', ['Montag, 20:05 UTC', '22.03.2027', '12,3 MB', '1234,5 GB', '2 h 05 min', '−12,3', '−∞']],
  ['es', ['lunes, 20:05 UTC', '22/03/2027', '12,3 MB', '1234,5 GB', '2 h 05 min', '−12,3', '−∞']],
])('writes days, sizes and levels in %s', (language, texts) => {
  speak(language)
  expect([
    formatWeekday({ timestampStart: monday.toISOString() } as Parameters<typeof formatWeekday>[0]),
    formatDate(monday, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
    formatSize(12.3 * MB),
    formatSize(1234.5 * 1024 * MB),
    formatHours(7500),
    formatDecibels(-12.34),
    formatDecibels(Number.NEGATIVE_INFINITY),
  ]).toEqual(texts)
})

test.each<[Language, string[]]>([
  ['en', ['Today', 'Tomorrow', 'Wednesday']],
  ['de', ['Heute', 'Morgen', 'Mittwoch']],
  ['es', ['Hoy', 'Mañana', 'miércoles']],
])('names the days of the schedule in %s', (language, names) => {
  speak(language)
  const in24Hours = (days: number) => new Date(monday.getTime() + days * 24 * 3600 * 1000)
  const occurrences = [0, 1, 2].map((days) => ({ startsAt: in24Hours(days) }))
  const part = (options: Intl.DateTimeFormatOptions) => (date: Date) =>
    formatDate(date, { ...options, timeZone: 'UTC' })
  const format = {
    weekday: part({ weekday: 'long' }),
    date: part({ dateStyle: 'short' }),
    time: part({ timeStyle: 'short' }),
    zone: 'UTC',
    now: monday.getTime(),
  }
  expect(groupByDay(occurrences as Parameters<typeof groupByDay>[0], format).map(({ name }) => name)).toEqual(names)
})

test('names tomorrow although a day has 23 hours', () => {
  speak('en')
  vi.stubEnv('TZ', 'Europe/Berlin')
  const part = (options: Intl.DateTimeFormatOptions) => (date: Date) =>
    formatDate(date, { ...options, timeZone: 'Europe/Berlin' })
  const format = {
    weekday: part({ weekday: 'long' }),
    date: part({ dateStyle: 'short' }),
    time: part({ timeStyle: 'short' }),
    zone: 'Europe/Berlin',
    // half an hour before the day of the change
    now: Date.parse('2027-03-27T22:30:00Z'),
  }
  const occurrences = ['2027-03-28T10:00:00Z', '2027-03-29T10:00:00Z'].map((at) => ({ startsAt: new Date(at) }))
  const days = groupByDay(occurrences as Parameters<typeof groupByDay>[0], format)
  vi.unstubAllEnvs()
  expect(days.map(({ name }) => name)).toEqual(['Tomorrow', 'Monday'])
})

test('translates what the player shows, but not the names of tracks', () => {
  const nowPlaying = { ...UNKNOWN_NOW_PLAYING, available: true, online: true }
  const song = { title: 'Carrier Lost', artist: 'Lowpass Choir', album: '', art: null }
  const shown = (change: object) => getTrackDisplay({ ...initialPlayer, nowPlaying: { ...nowPlaying, ...change } })
  speak('de')
  expect(getTrackDisplay(initialPlayer).title).toBe('Kein Titel läuft')
  expect(shown({})).toMatchObject({ title: 'Unbekannt', artist: 'Unbekannt' })
  expect(shown({ song })).toMatchObject({ title: 'Carrier Lost', artist: 'Lowpass Choir' })
  expect(statusText({ status: 'reconnecting', offline: false })).toBe('Verbinde neu …')
  expect(playerKeys()[0]).toEqual(['Leertaste', 'Abspielen oder pausieren'])
  // The same code answers the next request in another language.
  speak('es')
  expect(getTrackDisplay(initialPlayer).title).toBe('No suena ninguna pista')
  expect(stateTexts.standby()).toBe('En espera')
  expect(() => parseFavouritesFile('{')).toThrow('El archivo no es una lista de favoritos.')
  const track = { seconds: 65, artist: 'Lowpass Choir', title: '<b>{count}</b>' }
  expect(renderToStaticMarkup(<Tracklist tracks={[track]} current={-1} onJump={() => {}} />)).toMatch(
    />Reproducir desde <.*>1:05<.*&lt;b&gt;\{count\}&lt;\/b&gt;/,
  )
})
