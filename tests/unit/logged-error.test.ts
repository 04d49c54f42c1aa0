import { TRPCError } from '@trpc/server'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { loggedError } from '#server/core/errors.ts'

test('of an error the log keeps kinds, codes and places, and nothing that somebody wrote', () => {
  const driver = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(secret@example.org) already exists',
    parameters: ['secret text'],
  })
  const query = new DrizzleQueryError('insert into post values ($1)', ['secret text'], driver)
  const logged = loggedError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: query }))
  expect(JSON.stringify(logged)).not.toContain('secret')
  expect(logged).toMatchObject({
    type: 'TRPCError',
    causes: [{ message: 'Failed query: insert into post values ($1)' }, { code: '23505' }],
  })
  expect(logged.stack).toContain('logged-error.test.ts')
  expect(loggedError('just a text')).toMatchObject({ type: 'Error' })
})
