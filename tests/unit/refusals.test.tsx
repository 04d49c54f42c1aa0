import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import '#src/i18n/allRefusals.ts'
import type { Language } from '#src/contract/languages.ts'
import { programForm } from '#src/contract/programForms.ts'
import { PasteForm } from '#src/features/paste/PasteForm.tsx'
import { createTranslator } from '#src/i18n/createTranslator.ts'
import de from '#src/i18n/de/refusals.ts'
import es from '#src/i18n/es/refusals.ts'
import { translateRefusal } from '#src/i18n/refusals.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { refusalParts } from '#tests/helpers/hostileTexts.ts'
import { listRefusalTexts } from '#tests/helpers/refusalTexts.ts'

afterEach(() => {
  globalThis.readLanguage = undefined
})

const speak = (language: Language) => {
  globalThis.readLanguage = () => language
}

/** Texts that begin with the label of a field. */
const LABELLED = /^(.+) must (?:be at most \d+ characters|be one line without|not contain control)/

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

describe.each([
  ['German', de],
  ['Spanish', es],
])('%s refusals', (_language, table) => {
  it('translate every text with which the contracts and the server refuse something', () => {
    const texts = listRefusalTexts()
    expect(texts.length).toBeGreaterThan(300)
    expect(texts.filter((text) => createTranslator(table)(text) === null)).toEqual([])
    const labels = texts.flatMap((text) => LABELLED.exec(text)?.[1] ?? [])
    expect(labels.filter((label) => !Object.hasOwn(table, label))).toEqual([])
    // The rest would only be loaded. A label is the start of a text.
    const known = [...texts, ...labels]
    const isUsed = (english: string) =>
      known.includes(english) || known.some((text) => createTranslator({ [english]: '' })(text) !== null)
    expect(Object.keys(table).filter((english) => !isUsed(english))).toEqual([])
  })

  it('have the placeholders of the English text, at most one of which matches any text', () => {
    const entries = Object.entries(table)
    expect(entries.filter(([text, translation]) => `${placeholders(text)}` !== `${placeholders(translation)}`)).toEqual(
      [],
    )
    const free = (text: string) => placeholders(text).filter((name) => !/date|filters|max|min|seconds/.test(name))
    expect(entries.filter(([text]) => free(text).length > 1)).toEqual([])
  })
})

it('translates the texts inside a text', () => {
  speak('de')
  expect(translateRefusal('Title must be at most 200 characters')).toBe('Titel: höchstens 200 Zeichen')
  expect(translateRefusal('Too many posts from your network. Please try again in 5 min.')).toBe(
    'Zu viele Beiträge aus deinem Netz. Bitte versuche es in 5 min noch einmal.',
  )
  expect(translateRefusal('You are banned until 27/11/2026 20:00 UTC. Reason: Title')).toBe(
    'Du bist bis 27/11/2026 20:00 UTC gesperrt. Grund: Title',
  )
})

it('leaves unknown texts and the English of an English page as they are', () => {
  speak('de')
  expect(translateRefusal('A message of the operator')).toBe('A message of the operator')
  speak('en')
  expect(translateRefusal('Post not found')).toBe('Post not found')
})

it.each(Object.entries(refusalParts))('translates a long text of %s only up to a length', (_, create) => {
  const translate = createTranslator(de)
  expect(translate(create(1900))).not.toBe('')
  expect(translate(create(1_000_000))).toBeNull()
})

describe('a page in German', () => {
  it('shows why the server refused a form that was sent without script', () => {
    speak('de')
    const submitted = { fields: {}, hasImage: false, refusal: 'Please enter some content to paste', appealToken: 'x' }
    const html = renderToStaticMarkup(<PasteForm submitted={{ ...submitted, result: null }} idempotencyKey="" />)
    expect(html).toContain('Bitte gib einen Inhalt für das Paste ein')
    expect(html).not.toContain('Please')
  })

  it('shows what is wrong with the fields of a form', () => {
    speak('de')
    const form = { name: 'x'.repeat(101), link: 'https://a.example', description: 'd', addedBy: 'a', category: 'c' }
    const [issue] = programForm.safeParse(form).error?.issues ?? []
    expect(renderToStaticMarkup(<Alert>{issue?.message}</Alert>)).toContain('Programmname: höchstens 100 Zeichen')
  })
})
