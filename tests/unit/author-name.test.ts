import { describe, expect, test } from 'vitest'
import { splitAuthor, withoutSecret, withoutTripcodeMarks } from '#src/contract/authorName.ts'
import { fc } from '#tests/helpers/property.ts'

describe('the name of an author', () => {
  test.each([
    ['gl1tch', { nick: 'gl1tch', secret: null }],
    ['gl1tch#x', { nick: 'gl1tch#x', secret: null }],
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
    expect(['gl1tch', 'gl1tch##x##y\nz'].map(withoutSecret)).toEqual(['gl1tch', 'gl1tch##'])
  })
})
