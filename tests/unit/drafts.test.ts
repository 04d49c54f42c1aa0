import { expect, test } from 'vitest'
import { findSurplusDrafts, isKept } from '#src/lib/draft.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 1)

test('keeps the newest twenty drafts', () => {
  const drafts = Array.from({ length: 25 }, (_, id) => ({ key: `draft:${id}`, savedAt: NOW - id * 1000 }))
  expect(findSurplusDrafts(drafts, NOW)).toEqual(['draft:20', 'draft:21', 'draft:22', 'draft:23', 'draft:24'])
})

test('deletes drafts of more than thirty days', () => {
  const drafts = [
    { key: 'draft:new', savedAt: NOW - 29 * DAY_MS },
    { key: 'draft:old', savedAt: NOW - 31 * DAY_MS },
  ]
  expect(findSurplusDrafts(drafts, NOW)).toEqual(['draft:old'])
})

test('keeps drafts of earlier versions, which have no date, until newer ones need their place', () => {
  const dated = Array.from({ length: 20 }, (_, id) => ({ key: `draft:${id}`, savedAt: NOW }))
  expect(findSurplusDrafts([{ key: 'draft:undated' }, ...dated.slice(1)], NOW)).toEqual([])
  expect(findSurplusDrafts([{ key: 'draft:undated' }, ...dated], NOW)).toEqual(['draft:undated'])
})

test('does not keep texts that are several times too long for a post', () => {
  expect(isKept({ title: '', content: 'x'.repeat(20_001) })).toBe(true)
  expect(isKept({ title: '', content: 'x'.repeat(100_000) })).toBe(false)
})
