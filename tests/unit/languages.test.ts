import type { CompiledMessage } from 'icu-minify/format'
import { expect, test, vi } from 'vitest'
import { chooseLanguage, inLanguage, setSiteLanguage } from '#server/core/http/language.ts'
import { translateDefaults } from '#server/features/site/translateDefaults.ts'
import { type Language, languages } from '#src/contract/languages.ts'
import { defaultSite } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { catalogues } from '#src/i18n/languages.ts'
import { compiledText } from '#src/i18n/messages.ts'
import { t } from '#src/i18n/t.ts'
import { relativeTime, utcDate } from '#src/lib/formatTime.ts'

const keysOf = (language: Language) =>
  Object.entries(catalogues[language]).flatMap(([namespace, texts]) =>
    Object.keys(texts).map((name) => `${namespace}.${name}`),
  )

/** Returns the names of a message's arguments and tags. */
function namesOf(message: CompiledMessage): string[] {
  if (typeof message === 'string') return []
  const names = message.flatMap((node) => {
    if (!Array.isArray(node)) return []
    const [name, type, ...rest] = node as [string, unknown, ...unknown[]]
    const nested = [type, ...rest].flatMap((part) =>
      Array.isArray(part)
        ? namesOf([part] as CompiledMessage)
        : typeof part === 'object' && part !== null
          ? Object.values(part).flatMap((branch) => namesOf([branch].flat() as CompiledMessage))
          : [],
    )
    return [name, ...nested]
  })
  return [...new Set(names)].sort()
}

test.each(languages)('%s has every text, with the placeholders of the English text', (language) => {
  expect(keysOf(language)).toEqual(keysOf('en'))
  for (const key of keysOf('en')) {
    const [own, english] = [language, 'en' as const].map((one) => namesOf(compiledText(key, one as Language)))
    expect([key, own]).toEqual([key, english])
  }
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-CH, fr;q=0.9, es;q=0.8, de;q=0.7, *;q=0.5', 'es'],
  ['fr', 'en'],
  ['*', 'en'],
  ['en-US,de;q=0.5', 'en'],
  ['de;q=0', 'en'],
  ['DE', 'de'],
  [';;;,=,q=1', 'en'],
  [`de,${'x,'.repeat(200)}`, 'en'],
])('chooses for the header %j the language %s', (header, language) => {
  expect(chooseLanguage({ language: 'auto' }, { 'accept-language': header })).toBe(language)
})

test('a site in one language ignores the header', () => {
  expect(chooseLanguage({ language: 'es' }, { 'accept-language': 'de' })).toBe('es')
})

test('renders at the same time in several languages', async () => {
  const render = async () => {
    await Promise.resolve()
    return [t('time.justNow'), utcDate(new Date(0)), relativeTime(new Date(0), 86_400_000)]
  }
  const [german, spanish, outside] = await Promise.all([inLanguage('de', render), inLanguage('es', render), render()])
  expect(german).toEqual(['gerade eben', '01.01.1970', 'vor 1 Tag'])
  expect(spanish).toEqual(['ahora mismo', '01/01/1970', 'hace 1 día'])
  expect(outside).toEqual(['just now', '01/01/1970', '1 d ago'])
})

test.each([
  ['de', 'de'],
  ['fr', 'en'],
  ['zh-CN', 'en'],
  ['', 'en'],
])('a document with the language %j has texts in %s', (lang, language) => {
  vi.stubGlobal('document', { documentElement: { lang } })
  expect(currentLanguage()).toBe(language)
  vi.unstubAllGlobals()
})

test('texts for all visitors have the language of the site', () => {
  setSiteLanguage({ language: 'de' })
  expect(t('feed.newPaste')).toBe('Neues Paste')
  setSiteLanguage({ language: 'auto' })
  expect(t('feed.newPaste')).toBe('New paste')
})

test('translates the texts of a site that the operator did not set', () => {
  const site = { ...defaultSite, tagline: 'We fix things.' }
  const german = inLanguage('de', () => translateDefaults(site))
  expect(german.tagline).toBe('We fix things.')
  expect(german.radio).toEqual({ name: 'Radio', description: 'Die Musik dieser Website' })
  expect(german.about.mission).toHaveLength(3)
  const texts = catalogues.en.defaults
  expect(defaultSite).toMatchObject({
    tagline: texts.tagline,
    description: texts.description,
    about: {
      story: [texts.story1, texts.story2],
      mission: [texts.mission1, texts.mission2, texts.mission3],
    },
    radio: { description: texts.radio },
  })
})

test.each([
  ['en', ['0', '7', '999', '1,000', '12,345', '-5', '0.5', '50%']],
  ['de', ['0', '7', '999', '1.000', '12.345', '-5', '0,5', '50\u00a0%']],
] as const)('writes numbers in %s as Intl does', (language, texts) => {
  inLanguage(language, () => {
    const written = [0, 7, 999, 1000, 12_345, -5, 0.5].map((value) => formatNumber(value))
    expect([...written, formatNumber(0.5, { style: 'percent' })]).toEqual(texts)
  })
})
