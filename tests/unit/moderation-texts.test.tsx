import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { type LogEntryView, MODERATION_ACTIONS } from '#src/contract/log.ts'
import { HOLD_CODES, heldByFilter } from '#src/contract/queue.ts'
import { LogEntry } from '#src/features/moderation/LogScreen.tsx'
import { describeHold } from '#src/features/moderation/queueTexts.ts'
import { type Language, languages } from '#src/i18n/languages.ts'

const speak = (language: Language) => {
  vi.stubGlobal('readLanguage', () => language)
}
afterEach(() => {
  vi.unstubAllGlobals()
})

const entry: LogEntryView = {
  id: 1,
  at: new Date(0),
  action: 'delete',
  role: 'moderator',
  boardId: 'tech',
  reason: 'Spam',
  count: 1,
  isThread: false,
  isUndone: false,
  canRestore: true,
}
const render = (given: Partial<LogEntryView>) =>
  renderToStaticMarkup(<LogEntry entry={{ ...entry, ...given }} onRestore={undefined} />)
/** Returns what was done, without the time and the reason. */
const sentence = (given: Partial<LogEntryView>) => /<p id="entry-1">(.*?)<\/p>/.exec(render(given))?.[1]

test('an entry of the log is one sentence in the word order of its language', () => {
  const link = '<a href="/dtpchan/board/tech">/tech/</a>'
  const role = (text: string) => expect.stringMatching(new RegExp(`^<strong[^>]*>${text}</strong> `))
  expect(sentence({})).toEqual(role('A moderator of /tech/'))
  expect(sentence({})).toContain(`deleted a post on ${link}`)
  expect(sentence({ count: 1234, role: 'admin', boardId: null })).toContain('deleted 1,234 posts on the whole site')
  expect(sentence({ isThread: true })).toContain(`deleted a thread on ${link}`)
  expect(sentence({ isThread: true, count: 3 })).toContain(`deleted a thread with 3 posts on ${link}`)
  speak('de')
  expect(sentence({})).toEqual(role('Ein Moderator von /tech/'))
  expect(sentence({})).toContain(`hat auf ${link} einen Beitrag gelöscht`)
  speak('es')
  expect(sentence({ count: 2, action: 'restore', boardId: null })).toContain('restauró 2 mensajes en todo el sitio')
})

test('every action has a sentence of its own in every language', () => {
  for (const language of languages) {
    speak(language)
    const sentences = MODERATION_ACTIONS.map((action) => sentence({ action }))
    expect(new Set(sentences).size).toBe(MODERATION_ACTIONS.length)
    expect(sentences.filter((text) => text?.includes('/tech/</a>'))).toHaveLength(MODERATION_ACTIONS.length)
  }
})

test('has a text for each reason that the site gives, in every language', () => {
  const filter = heldByFilter({ id: 7, value: 'a: b\nc' })
  const wanted = { en: 'Filter No. 7', de: 'Filter Nr. 7', es: 'Filtro n.º 7' }
  for (const language of languages) {
    speak(language)
    const texts = HOLD_CODES.map(describeHold)
    expect(new Set([...texts, ...HOLD_CODES]).size).toBe(2 * HOLD_CODES.length)
    expect(describeHold(filter)).toBe(`${wanted[language]}: a: b\nc`)
  }
  expect(describeHold('filter 7')).toBe('filter 7')
  expect(describeHold('toString')).toBe('toString')
  speak('de')
  expect(render({ role: 'site', reason: 'raid' })).toContain('Beiträge eines Raids warten')
  expect(render({ role: 'site', reason: 'gone' })).toContain('Auf der alten Website gelöscht')
  expect(render({ reason: 'raid' })).toContain('raid')
})
