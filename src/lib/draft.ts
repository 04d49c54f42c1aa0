import { useEffect, useRef, useState } from 'react'
import { readStored, readStoredFields, writeStored } from './storage.ts'

type Texts = Record<string, string>

const WRITE_DELAY_MS = 400

const isEmpty = (texts: Texts) => Object.values(texts).every((text) => text === '')

/** @param known what this tab last read or wrote: it does not delete what another tab has written since */
function write(key: string, texts: Texts, known: { current: Texts }): void {
  if (!key.startsWith(DRAFT_PREFIX)) writeStored(key, isEmpty(texts) ? null : texts)
  else if (isEmpty(texts)) {
    writeStored(key, null, 'sessionStorage')
    const stored = { ...texts, ...readStoredFields(key, texts) }
    if (Object.entries(known.current).every(([name, text]) => stored[name] === text)) writeStored(key, null)
  } else if (isKept(texts)) {
    writeStored(key, texts, 'sessionStorage')
    writeStored(key, { ...texts, savedAt: Date.now() })
    deleteSurplusDrafts()
  } else return
  known.current = texts
}

function deleteSurplusDrafts(): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(DRAFT_PREFIX))
    const drafts = keys.map((key) => ({ key, ...readStoredFields(key, { savedAt: 0 }) }))
    for (const key of findSurplusDrafts(drafts, Date.now())) writeStored(key, null)
  } catch {
    // Storage is blocked.
  }
}

/**
 * Keeps texts in local storage. Drafts of posts are bounded in number, size and age. Each tab keeps its own, too: the
 * stored draft is the newest of all tabs, for the next tab.
 * @param key must not change
 * @param served the texts in the server's HTML; required if the server renders the component
 */
export function useDraft<T extends Texts>(key: string, empty: T, served?: T) {
  const known = useRef<Texts>(empty)
  const restore = () => {
    if (key.startsWith(DRAFT_PREFIX)) deleteSurplusDrafts()
    const area = readStored(key, 'sessionStorage') ? 'sessionStorage' : 'localStorage'
    const restored = { ...empty, ...readStoredFields(key, empty, area) }
    known.current = restored
    return restored
  }
  const [texts, setTexts] = useState(() => served ?? restore())
  // Several fields can report a change before the next render: those that were filled before hydration.
  const latest = useRef(texts)
  const unsaved = useRef<T | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function set(next: T) {
    latest.current = next
    setTexts(next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only after hydration
  useEffect(() => {
    if (served && isEmpty(served) && !unsaved.current) set(restore())
  }, [])

  useEffect(() => {
    const flush = () => {
      clearTimeout(timer.current)
      if (unsaved.current) write(key, unsaved.current, known)
      unsaved.current = null
    }
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [key])

  function change(patch: Partial<T>) {
    const next = { ...latest.current, ...patch }
    set(next)
    unsaved.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      unsaved.current = null
      write(key, next, known)
    }, WRITE_DELAY_MS)
  }

  function clear() {
    clearTimeout(timer.current)
    unsaved.current = null
    set(empty)
    write(key, empty, known)
  }

  return { texts, change, clear }
}

/** Other keys of useDraft are not drafts of posts, and do not expire. */
const DRAFT_PREFIX = 'draft:'
const MAX_DRAFTS = 20
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000
/** Several times the longest post. Browsers give a site about five million characters. */
const MAX_LENGTH = 60_000

/** A stored draft. `savedAt` is in ms since 1970; earlier versions did not store it. */
type StoredDraft = { key: string; savedAt?: number }

/** Returns the drafts to delete: old ones, and the oldest ones beyond the limit. */
export function findSurplusDrafts(drafts: StoredDraft[], now: number): string[] {
  const kept = drafts.filter(({ savedAt }) => savedAt === undefined || now - savedAt <= MAX_AGE_MS)
  const newest = kept.toSorted((one, other) => (other.savedAt ?? 0) - (one.savedAt ?? 0)).slice(0, MAX_DRAFTS)
  return drafts.filter((draft) => !newest.includes(draft)).map(({ key }) => key)
}

/** Returns whether texts are short enough to be kept. */
export const isKept = (texts: Record<string, string>): boolean =>
  Object.values(texts).reduce((length, text) => length + text.length, 0) <= MAX_LENGTH
