import { expect, test } from 'vitest'
import { deriveSecrets } from '#server/core/security/secrets.ts'
import { createTripcode } from '#server/features/board/write/author.ts'

const keyOf = (secret: string) => deriveSecrets(secret).tripcodes

test('a tripcode stays the same in later versions, and depends on the secret key of the site', () => {
  expect(createTripcode(keyOf('the secret key of a site'), 'correct horse')).toBe('!!n00rpEmvQcB')
  expect(createTripcode(keyOf('another secret key'), 'correct horse')).not.toBe('!!n00rpEmvQcB')
})
