import { describe, expect, test } from 'vitest'
import { hasCode, splitAuthor, withoutSecret, withoutTripcodeMarks } from '#src/contract/authorName.ts'
import { fc } from '#tests/helpers/property.ts'

describe('the name of an author', () => {
  test.each([
    ['gl1tch', { nick: 'gl1tch', secret: null }],
    ['gl1tch#x', { nick: 'gl1tch', secret: 'x' }],
    ['gl1tch#', { nick: 'gl1tch', secret: '' }],
    ['gl1tch＃x', { nick: 'gl1tch', secret: 'x' }],
    ['gl1tch ﹟＃ x', { nick: 'gl1tch', secret: 'x' }],
    ['gl1tch#x##y', { nick: 'gl1tch', secret: 'x##y' }],
    ['gl1tch###', { nick: 'gl1tch', secret: '#' }],
    ['gl1tch##x##y', { nick: 'gl1tch', secret: 'x##y' }],
    ['gl1tch##', { nick: 'gl1tch', secret: '' }],
    [' a!! ## b ', { nick: 'a!', secret: 'b' }],
  ])('splits %j', (typed, parts) => {
    expect(splitAuthor(typed)).toEqual(parts)
  })

  test('never has the mark of a tripcode, and never loses anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('!', '！', '‼', '\u200b', ' ', 'a', '\u0301') }), (name) => {
        const shown = withoutTripcodeMarks(name)
        expect(shown.normalize('NFKD').replace(/[^!a]/g, '')).not.toContain('!!')
        expect(shown.replace(/[^a]/g, '')).toBe(name.replace(/[^a]/g, ''))
        expect(withoutTripcodeMarks(shown)).toBe(shown)
      }),
    )
  })

  test('is shown again without the secret', () => {
    expect(['gl1tch', 'gl1tch##x##y\nz', 'gl1tch#x', 'gl1tch＃x'].map(withoutSecret)).toEqual([
      'gl1tch',
      'gl1tch##',
      'gl1tch#',
      'gl1tch＃',
    ])
  })

  test('has no part that the site could publish or show again after a number sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('#', '＃', '﹟', '\u200b', ' ', 'a', '!') }), (typed) => {
        expect(splitAuthor(typed).nick.normalize('NFKC')).not.toContain('#')
        const shown = withoutSecret(typed)
        expect(splitAuthor(shown).nick).toBe(splitAuthor(typed).nick)
        expect(splitAuthor(shown).secret || null).toBeNull()
      }),
    )
  })

  test.each([
    'Tripfag !ozOtJW9BFA',
    'Tripfag!ozOtJW9BFA',
    'Tripfag ！ozOtJW9BFA',
    'Tripfag !ｏｚＯｔＪＷ９ＢＦＡ',
    'Tripfag !ⓞⓩⓞⓣ',
    'Tripfag ! ozOtJW9BFA',
    'Tripfag\u2800!ozOtJW9BFA',
    'Tripfag\u3164!ozOtJW9BFA',
    '!ab',
    'Tripfag !\u200a\u200bozOtJW9BFA',
    'Tripfag !\u0301./ozOtJW9BF',
    'Tripfag ‼ozOtJW9BFA',
    'Tripfag ⁉ozOtJW9BFA',
    'Tripfag ❗ozOtJW9BFA',
    'Tripfag ⵑozOtJW9BFA',
    'Nightowl !!radio',
    'Bob ♯♯ Admin',
    'Bob ⌗ \ufe0f⋕ Admin',
  ])('looks like a code: %j', (nick) => {
    expect(hasCode(nick)).toBe(true)
  })

  test.each([
    'wow!',
    'wow !',
    'wow!!!',
    'P!nk',
    'Hello! World',
    '<!-- ok -->',
    '(wow!)',
    '¡viva!',
    'DJ C♯',
    'Ann & Bob',
    'Łódź',
    'x'.repeat(64),
  ])('looks like no code: %j', (nick) => {
    expect(hasCode(nick)).toBe(false)
  })
})
