import { expect, test } from 'vitest'
import {
  closingText,
  MAX_LISTED_TRACKS,
  openingText,
  threadTitle,
} from '#server/features/show/announcements/threadTexts.ts'
import { boardLimits } from '#src/contract/board.ts'

test('introduces a broadcast with and without a show', () => {
  const broadcast = { stationId: 2, streamer: 'Nightowl', title: null }
  expect(threadTitle(broadcast)).toBe('Nightowl live')
  expect(openingText(broadcast, '', 'https://a.example')).toBe(
    'Nightowl is live.\n\nSchedule: https://a.example/radio\nStream: https://a.example/radio/2/stream',
  )
  const show = { ...broadcast, title: 'Deep Sea Radio' }
  expect(threadTitle(show)).toBe('Deep Sea Radio')
  expect(openingText(show, 'Ambient music.', 'https://a.example')).toContain(
    'Deep Sea Radio, with Nightowl, is live.\n\nAmbient music.\n\nSchedule',
  )
})

test('fits the longest tracklist into a post', () => {
  const track = { seconds: 359_999, artist: '😀'.repeat(300), title: '`\n'.repeat(300) }
  const tracks = Array.from({ length: MAX_LISTED_TRACKS }, () => track)
  const text = closingText({ streamer: 'a'.repeat(40), seconds: 43_200, recording: 'b'.repeat(200) }, tracks, 5000)
  expect(text.length).toBeLessThan(boardLimits.content)
  expect(text.isWellFormed()).toBe(true)
  expect(text).toMatch(/ was live for 12 h\..*… and 4850 more$/s)
})
