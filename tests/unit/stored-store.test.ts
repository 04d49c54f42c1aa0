import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStoredStore } from '#src/lib/storedStore.ts'

const entries = new Map<string, string>()
let tellOfOtherTab: (event: { key: string | null }) => void

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => entries.set(key, text),
    removeItem: (key: string) => entries.delete(key),
  })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('addEventListener', (_type: string, listener: typeof tellOfOtherTab) => {
    tellOfOtherTab = listener
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  entries.clear()
})

const createNumbers = () =>
  createStoredStore(
    'numbers',
    (stored): number[] => (Array.isArray(stored) ? stored.filter((one) => typeof one === 'number') : []),
    (numbers) => (numbers.length > 0 ? numbers : null),
  )

test('reads what is stored, and leaves out what is not valid', () => {
  entries.set('numbers', '[1,"two",3]')
  expect(createNumbers().get()).toEqual([1, 3])
  entries.set('numbers', '{')
  expect(createNumbers().get()).toEqual([])
})

test('changes what another tab has stored meanwhile', () => {
  const numbers = createNumbers()
  entries.set('numbers', '[1]')
  numbers.change((stored) => [...stored, 2])
  expect(numbers.get()).toEqual([1, 2])
  expect(entries.get('numbers')).toBe('[1,2]')
})

test('writes nothing if nothing changes, and removes an entry without a value', () => {
  const numbers = createNumbers()
  numbers.change((stored) => stored)
  expect(entries.has('numbers')).toBe(false)
  numbers.change(() => [1])
  numbers.change(() => [])
  expect(entries.has('numbers')).toBe(false)
})

test('follows what other tabs write and clear', () => {
  const numbers = createNumbers()
  entries.set('numbers', '[5]')
  tellOfOtherTab({ key: 'other' })
  expect(numbers.get()).toEqual([])
  tellOfOtherTab({ key: 'numbers' })
  expect(numbers.get()).toEqual([5])
  entries.clear()
  tellOfOtherTab({ key: null })
  expect(numbers.get()).toEqual([])
})

test.each(['getItem', 'setItem'] as const)('keeps all changes until the page is closed if %s fails', (method) => {
  entries.set('numbers', '[1]')
  const numbers = createNumbers()
  const storage = localStorage
  const fail = () => {
    throw new DOMException('blocked')
  }
  vi.stubGlobal('localStorage', { ...storage, setItem: fail, [method]: fail })
  numbers.change((stored) => [...stored, 2])
  numbers.change((stored) => [...stored, 3])
  const kept = method === 'setItem' ? [1, 2, 3] : [2, 3]
  expect(numbers.get()).toEqual(kept)
  expect(numbers.load()).toEqual(kept)
  vi.stubGlobal('localStorage', storage)
  numbers.change((stored) => [...stored, 4])
  expect(numbers.load()).toEqual([...kept, 4])
})
