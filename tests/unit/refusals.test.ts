import { describe, expect, test } from 'vitest'
import { AppError, errors, publicError, tooSoon } from '#server/core/errors.ts'
import { programForm } from '#src/contract/program.ts'
import { ownText, refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

const tooLong = refusal('failure.tooLong', { label: 'field.title', max: 200 })

test('a refusal has a text in each language', () => {
  expect(refusalText(tooLong)).toBe('Title must be at most 200 characters')
  expect(refusalText(tooLong, 'de')).toBe('Titel: höchstens 200 Zeichen')
  expect(refusalText(refusal('moderation.postNotFound'), 'es')).not.toBe(
    refusalText(refusal('moderation.postNotFound')),
  )
})

test('translates the text inside a text, but no value that a person wrote', () => {
  expect(publicError(tooSoon(refusal('limit.post'), 300_000), 'de').message).toBe(
    'Zu viele Beiträge aus deinem Netz. Bitte versuche es in 5 min noch einmal.',
  )
  const banned = refusal('moderation.banned', { date: '27/11/2026 20:00', reason: 'field.title {"a":"b"}' })
  expect(refusalText(banned, 'de')).toBe('Du bist bis 27/11/2026 20:00 UTC gesperrt. Grund: field.title {"a":"b"}')
})

test.each(['A message of the operator', '"Quoted"', '', 'example.com', 'board.sage', 'example.com {x}', '{"a":1}'])(
  'leaves the own text %j as it is',
  (text) => {
    expect(refusalText(ownText(text), 'de')).toBe(text)
    expect(publicError(errors.forbidden(ownText(text)), 'es')).toMatchObject({ message: text, code: null })
  },
)

describe('the public part of an error', () => {
  test('has the text in the language of the client, and its key', () => {
    const error = errors.notFound(refusal('board.threadNotFound'), { gone: true })
    expect(error).toBeInstanceOf(AppError)
    expect(error.message).toBe('Thread not found')
    const answer = { status: 404, code: 'board.threadNotFound', field: null, gone: true }
    expect(publicError(error)).toMatchObject({ ...answer, message: 'Thread not found' })
    expect(publicError(error, 'de')).toMatchObject({ ...answer, message: 'Thread nicht gefunden' })
  })

  test('names the invalid field', () => {
    const form = { name: 'x'.repeat(101), link: 'https://a.example', description: 'd', addedBy: 'a', category: 'c' }
    expect(publicError(programForm.safeParse(form).error, 'de')).toMatchObject({
      ...{ status: 400, message: 'Programmname: höchstens 100 Zeichen', code: 'failure.tooLong', field: 'name' },
    })
  })

  test("does not show a schema's own text, nor that of an unknown error", () => {
    expect(publicError(programForm.safeParse([]).error, 'de')).toMatchObject({ code: 'failure.badRequest' })
    expect(publicError(new Error('secret'), 'de')).toMatchObject({
      ...{ status: 500, message: 'Etwas ist schiefgegangen. Bitte versuche es noch einmal.', code: 'failure.internal' },
    })
  })
})
