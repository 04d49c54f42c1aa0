import { expect, test } from 'vitest'
import { relativeTime } from '#src/lib/formatTime.ts'

const NOW = new Date(2026, 0, 31, 12).getTime()

test.each([
  [-59 * 60_000, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 min ago'],
  [7_200_000, '2 h ago'],
  [3 * 86_400_000, '3 d ago'],
  [8 * 86_400_000, '23/01/2026'],
])('shows a time %d ms ago as %s', (age, text) => {
  expect(relativeTime(new Date(NOW - age), NOW)).toBe(text)
})

test.each([
  [2 * 86_400_000, '02/02/2026'],
  [3 * 3_600_000, 'in 3 h'],
  [25 * 60_000, 'in 25 min'],
  [59_000, 'just now'],
])('shows a planned time in %d ms as %s', (ahead, text) => {
  expect(relativeTime(new Date(NOW + ahead), NOW, true)).toBe(text)
})
